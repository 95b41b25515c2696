#!/bin/sh
# Line tables can be forged: a file is not archived merely because a line table names it.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

# sum FILE: its MD5, as a number for the assembler, which writes it backwards.
sum() {
	md5sum <"$1" | cut -d' ' -f1
}
backwards() {
	sum "$1" | sed 's/../& /g' | tr ' ' '\n' | tac | tr -d '\n'
}
# map NAME LIBRARY: make an experiment that began an hour ago.
map() {
	rm -rf "$1"
	experiment "$1"
	printf '<event kind="run" tstamp="5.000000000" time="%s"/>\n' \
		$(($(date +%s) - 3600)) >"$1/log.xml"
	segment "$1" "$PWD/$2" "$(identity "$2")"
}
# archive EXPERIMENT...: the status of er_archive -a src, and its messages.
archive() {
	er_archive -a src "$@" >out 2>err
	echo "$? $(sed "s|$PWD/||g" out err)"
}
stored_sources() {
	find "$1/archives" -type f ! -name '*.archive' ! -name manifest ! -name '*.so_*' |
		sed 's|.*/||;s/_[0-9a-zA-Z_-]\{11\}$//' | sort | tr '\n' ' '
}

# ---- names that are not files ----
echo 'int x;' >good.c
cp good.c binary.c
printf 'a\0b' >binary.c
mkfifo fifo.c
mkdir directory.c
ln -s /dev/zero device.c
touch -d '2 hours ago' good.c binary.c
names all.so "$PWD/good.c" "$PWD/binary.c" "$PWD/fifo.c" "$PWD/directory.c" "$PWD/device.c" \
	"$PWD/none/none.c" "$PWD/good.c/none.c" "$PWD/<artificial>" /proc/self/environ
map test.1.er all.so
is "$(archive test.1.er)" "1 er_archive: refused 'binary.c': not a text file
er_archive: refused 'fifo.c': not a regular file
er_archive: refused 'directory.c': not a regular file
er_archive: refused 'device.c': not a regular file
er_archive: refused '/proc/self/environ': not a text file
er_archive: warning: 'all.so': 2 of 8 source files are missing, such as 'good.c/none.c'" \
	"names that are not sources are refused by name"
is "$(stored_sources test.1.er)" "good.c " "the rest is taken"
is "$(archive test.1.er | head -n 2 | tail -n 1)" "er_archive: refused 'fifo.c': not a regular file" \
	"the next run says so again"

# ---- checksums ----
touch good.c
names right.so "$PWD/good.c=$(sum good.c)" "$PWD/binary.c=$(backwards binary.c)"
map test.1.er right.so
is "$(archive test.1.er) $(stored_sources test.1.er)" "0  binary.c good.c " \
	"with the right checksum a file is what was compiled, whenever it was modified"
echo '/* more */' >>good.c
touch -d '2 hours ago' good.c
map test.1.er right.so
is "$(archive test.1.er) $(stored_sources test.1.er)" \
	"1 er_archive: changed 'good.c': its checksum does not match the line table binary.c " \
	"with another it is not, however old it is"
er_archive --check -a src test.1.er 2>err
is "$? $(grep -c "changed '$PWD/good.c'" err)" "1 1" "and --check says so, too"

# ---- sources that only have the name of the object ----
names copy.so "$PWD/good.c" "$PWD/binary.c=$(sum binary.c)"
map test.1.er copy.so
er_archive test.1.er
rm copy.so
is "$(archive test.1.er) $(stored_sources test.1.er)" \
	"0 er_archive: warning: 'copy.so': 1 of 2 source files are missing, such as 'good.c' binary.c " \
	"a file named only by a copy is archived only with its checksum"
mkdir other.er
names other.er/copy.so "$PWD/good.c"
map test.1.er other.er/copy.so
is "$(archive test.1.er) $(stored_sources test.1.er)" \
	"0 er_archive: warning: 'other.er/copy.so': 1 of 1 source files are missing, such as 'good.c' " \
	"so is one that came with an experiment"

# ---- another user's object ----
if [ "$(id -u)" = 0 ]; then
	echo 'secret' >secret
	echo 'int mine;' >mine.c
	echo 'int header;' >header.h
	chmod 600 secret
	chown 65534 mine.c
	touch -d '2 hours ago' secret mine.c header.h
	names theirs.so "$PWD/secret" "$PWD/mine.c" "$PWD/header.h"
	chown 65534 theirs.so
	map test.1.er theirs.so
	is "$(archive test.1.er) $(stored_sources test.1.er)" \
		"1 er_archive: refused 'secret': its owner is not the owner of the load object that names it header.h mine.c " \
		"an object names files that its owner may read"
else
	skip "must be root" "an object names files that its owner may read"
fi

# ---- names ----
mkdir -p 'a b/%41'
echo 'int y;' >'a b/%41/c d.c'
echo 'int z;' >"$(printf 'new\nline.c')"
touch -d '2 hours ago' 'a b/%41/c d.c' new*
names names.so "$PWD/a b/%41/c d.c" "$PWD/new\nline.c" "$PWD/names.so"
map test.1.er names.so
is "$(archive test.1.er) $(stored_sources test.1.er | tr '\n' '?')" \
	"0  c d.c line.c new " "names may hold anything"
is "$(er_archive -a src -v test.1.er | grep -c '^present')" 3 "and are found again"
er_archive --check -a src test.1.er
is $? 0 "and checked"

# ---- tables that lie ----
names damaged.so "$PWD/good.c" "$PWD/binary.c"
start=$(readelf -WS damaged.so | sed -n 's/.* .debug_line  *PROGBITS *[^ ]* \([^ ]*\) .*/\1/p')
printf '\377\377\377\177' |
	dd of=damaged.so bs=1 seek=$((0x$start)) conv=notrunc 2>/dev/null
map test.1.er damaged.so
er_archive -a src test.1.er 2>err
is "$? $(grep -c "warning: '$PWD/damaged.so': cannot list all of its source files: damaged line table" err)" \
	"0 1" "a damaged table is reported, and the object archived"
done_testing
