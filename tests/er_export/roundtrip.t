#!/bin/sh
# From experiment to bundle and back: every byte, every time; and with nothing but tar and sha256sum.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# An experiment with all kinds of entries, written by hand. The map names no load objects.
make_experiment() { # DIRECTORY
	mkdir -p "$1/archives" "$1/_f1.er" "$1/_f2_x1.er" "$1/_f10.er" "$1/jdynclasses/a/b"
	for experiment in "$1" "$1"/_*.er; do
		printf '<?xml version="1.0"?>\n<collector>\n</collector>\n%s\n' "$experiment" \
			>"$experiment/log.xml"
		head -c 65000 /dev/zero >>"$experiment/log.xml"
		echo '<event kind="map" object="segment" tstamp="0.0" vaddr="0x400000" size="4096" pagesz="4096" foffset="0" modes="0x001" chksum="0" name="/data"/>' \
			>"$experiment/map.xml"
		seq 1 1000 >"$experiment/overview"
		seq 1 20000 >"$experiment/profile"
		: >"$experiment/data.frameinfo"
	done
	echo 'a note' >"$1/notes"
	truncate -s 10M "$1/_f1.er/profile" # a tail that takes no room
	cp /bin/sh "$1/archives/sh_UHyILZt997d"
	chmod 755 "$1/archives/sh_UHyILZt997d"
	echo 'back\slash' >"$1/archives/back\\slash_UHyILZt997d"
	echo umlaut >"$1/archives/größe_UHyILZt997d"
	echo class >"$1/jdynclasses/a/b/C.class"
	find "$1" -type f -exec touch -d '2021-02-03 04:05:06.789012345' {} +
	find "$1" -depth -type d -exec touch -d '2020-01-02 03:04:05.5' {} +
}

# Names, types, modes, sizes, times.
facts() {
	(cd "$1" && find . -printf '%p %y %m %s %T@\n' | sed '/ d /s/ [0-9]* \([0-9.]*\)$/ \1/' | sort)
}

same() { # A B TEXT
	if diff -r "$1" "$2" >diff.out 2>&1 && facts "$1" >a.facts && facts "$2" >b.facts &&
		diff a.facts b.facts >>diff.out; then
		ok 0 "$3"
	else
		ok 1 "$3"
		sed 's/^/# /' diff.out
	fi
}

mkdir runs in
make_experiment runs/test.1.er
facts runs/test.1.er >before
check "er_export exports" er_export runs/test.1.er
is "$(ls)" "before
in
runs
test.1.er.tar.zst" "into the current directory, and nothing else is left"
facts runs/test.1.er >after
check "the experiment is only read" cmp before after
check "er_import imports" er_import -C in test.1.er.tar.zst
same runs/test.1.er in/test.1.er "the import is equal in every byte, mode and time"
check "holes are holes again" [ "$(du -k in/test.1.er/_f1.er/profile | cut -f 1)" -lt 200 ]
check "er_export --check finds nothing wrong" er_export --check test.1.er.tar.zst

# Without our tools.
mkdir tar
check "tar --zstd unpacks a bundle" tar -C tar --zstd -xf test.1.er.tar.zst
check "sha256sum checks it" sh -c 'cd tar && sha256sum --quiet --strict -c test.1.er/EXPORT.manifest'
is "$(wc -l <tar/test.1.er/EXPORT.manifest)" "$(($(find runs/test.1.er -type f | wc -l) + 1))" \
	"its manifest has every file"
check "the files unpacked by tar can be exported again" er_export -o again.tar.zst tar/test.1.er
check "to the same bytes" cmp again.tar.zst test.1.er.tar.zst
rm tar/test.1.er/EXPORT.manifest
touch -r runs/test.1.er tar/test.1.er
same runs/test.1.er tar/test.1.er "tar keeps everything as well"

# The same bytes with any number of threads.
for threads in 1 2 3 5; do
	er_export -f --threads $threads -o other.tar.zst runs/test.1.er
	check "the same bytes with $threads threads" cmp other.tar.zst test.1.er.tar.zst
done
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 ER_THREADS=2 er_export -f -o other.tar.zst runs/test.1.er)
check "the same bytes with another umask, time zone and locale" cmp other.tar.zst test.1.er.tar.zst
is "$(stat -c %a other.tar.zst)" 600 "the umask counts for the bundle"
mkdir copy
(cd runs/test.1.er && find . -depth -print | sort -r | cpio -pdm --quiet ../../copy/test.1.er 2>/dev/null) ||
	cp -a runs/test.1.er copy
er_export -f -o other.tar.zst copy/test.1.er/
check "the same bytes from a copy" cmp other.tar.zst test.1.er.tar.zst
(umask 027 && mkdir masked && er_import -C masked test.1.er.tar.zst)
is "$(cd masked && stat -c %a test.1.er test.1.er/_f1.er test.1.er/log.xml test.1.er/archives/sh_UHyILZt997d | tr '\n' ' ')" \
	"750 750 640 750 " "the umask counts for what is imported"

# Pipes, and other forms.
mkdir piped plain foreign
check "through a pipe" sh -c 'er_export -o - runs/test.1.er | er_import -C piped -'
same runs/test.1.er piped/test.1.er "the same comes out"
check "without compression" er_export -o plain.tar runs/test.1.er
check "which tar reads" tar -tf plain.tar
check "and er_import" er_import -C plain plain.tar
same runs/test.1.er plain/test.1.er "the same comes out"
check "-z is stronger than the name" er_export -z zstd -o zstd.tar runs/test.1.er
check "which is zstd then" zstd -qt zstd.tar

# A user's own tarballs.
for form in '-cf f.tar' '-czf f.tar.gz' '-cJf f.tar.xz' '--zstd -cf f.tar.zst' '--format=gnu -cf f.gnu.tar'; do
	rm -rf foreign/test.1.er
	# shellcheck disable=SC2086
	tar $form -C runs ./test.1.er
	file=${form##* }
	er_import -C foreign "$file" 2>err
	is "$? $(cat err)" "0 er_import: warning: '$file': not verified: it has no manifest" \
		"$file is imported and said to be unverified"
	is "$(diff -r runs/test.1.er foreign/test.1.er)" "" "all of it"
done
rm -rf foreign/test.1.er
er_import --verify -C foreign f.tar 2>err
is "$? $(cat err) $(ls -A foreign)" "1 er_import: 'f.tar': it ends without a manifest " \
	"but not with --verify"
check "which reads bundles back" er_import --verify -C foreign test.1.er.tar.zst
same runs/test.1.er foreign/test.1.er "as they are"

# Names that are taken.
er_import -C in test.1.er.tar.zst 2>err
is "$? $(cat err)" "1 er_import: 'test.1.er.tar.zst': cannot create 'in/test.1.er': File exists" \
	"a taken name is not replaced"
echo changed >in/test.1.er/notes
check "unless -f is given" er_import -f -C in test.1.er.tar.zst
same runs/test.1.er in/test.1.er "the old one is gone"
check "--rename takes the next number" er_import --rename -C in test.1.er.tar.zst
same runs/test.1.er in/test.2.er "test.2.er"
mkdir in/other.er in/plain.er && echo mine >in/plain.er/mine.txt
is "$(ls -A in)" "other.er
plain.er
test.1.er
test.2.er" "nothing else is left"
er_export runs/test.1.er 2>err
is "$? $(cat err)" "1 er_export: cannot create 'test.1.er.tar.zst': File exists" \
	"an existing bundle is not replaced"
check "unless -f is given" er_export -f runs/test.1.er
mkdir x.tar.zst
er_export -f -o x.tar.zst runs/test.1.er 2>err
is "$? $(cat err)" "1 er_export: 'x.tar.zst' is not a regular file: not replaced" \
	"and only a plain file is"

# A dry run.
mkdir dry
: >out
before=$(ls -A . in)
er_export -n -o never.tar.zst runs/test.1.er >out
is "$(cut -d : -f 1 out)" "copied runs/test.1.er" "-n says what would be exported"
er_import -n -C dry test.1.er.tar.zst >out
is "$(cut -d : -f 1 out)$(ls -A dry)" "copied test.1.er" "-n says what would be imported"
is "$(ls -A . in)" "$before" "and does nothing"

# Damaged bundles.
cp test.1.er.tar.zst damaged.tar.zst
printf 'XXXX' | dd of=damaged.tar.zst bs=1 seek=3000 conv=notrunc 2>/dev/null
mkdir damaged
er_import -C damaged damaged.tar.zst 2>err
is "$?$(ls -A damaged)" 1 "a damaged bundle leaves nothing"
er_export --check damaged.tar.zst 2>err
is "$?" 1 "and does not pass the check"
size=$(stat -c %s test.1.er.tar.zst)
for cut in 10 1000 $((size / 2)) $((size - 60)) $((size - 1)); do
	head -c $cut test.1.er.tar.zst >cut.tar.zst
	timeout 10 er_import -C damaged cut.tar.zst 2>err
	status=$?
	if [ $cut = $((size - 1)) ]; then
		# Only the table of frames is cut, and all data is there. It is damaged all the same.
		is "$status$(ls -A damaged)" 1 "a bundle cut at its last byte is refused"
	else
		is "$status$(ls -A damaged)" 1 "a bundle cut after $cut bytes leaves nothing"
	fi
done

# Interrupted while unpacking: a large file of zeros takes its time.
mkdir -p slow.er stopped
truncate -s 1G slow.er/profile
er_export -a off -o slow.tar.zst slow.er
er_import --max-bytes 8G -C stopped slow.tar.zst 2>err &
import=$!
tries=0
while [ -z "$(ls -A stopped)" ] && [ $tries -lt 100 ]; do
	sleep 0.02
	tries=$((tries + 1))
done
kill -TERM $import
wait $import 2>/dev/null
is "$?$(ls -A stopped)" 143 "an interrupted import clears up, and ends by the signal"
rm -r slow.er slow.tar.zst

# Parts that are left out.
check "--no-archives" er_export --no-archives -o small.tar.zst runs/test.1.er
is "$(er_export -l small.tar.zst | grep -c archives)" 0 "leaves the archives out"
er_export /dev 2>err
is "$?" 1 "a directory that is not an experiment is refused"
mkdir strange.er && echo mine >strange.er/mine.txt
er_export strange.er 2>err
is "$? $(ls strange.er.tar.zst 2>/dev/null)$(cat err)" \
	"1 er_export: 'strange.er' is not an experiment: 'mine.txt' does not belong to an experiment" \
	"and so is one with other contents"
er_export -o /dev/full runs/test.1.er 2>err
is "$? $(cat err)" "1 er_export: cannot create '/dev/full': File exists" "a device is not replaced"
er_export -o - runs/test.1.er >/dev/full 2>err
is "$? $(cat err)" "1 er_export: cannot write: No space left on device" "a full disk is reported"

# A bundle inside an experiment would spoil it, and a text could replace its log.
er_export -o runs/test.1.er/x.tar.zst runs/test.1.er 2>err
is "$? $(cat err)" "1 er_export: 'runs/test.1.er/x.tar.zst' would be inside an experiment" \
	"a bundle is not put into an experiment"
cp runs/test.1.er/log.xml log.before
er_export -f --text -o runs/test.1.er/log.xml runs/test.1.er 2>err
is "$?" 1 "nor is a text"
check "the log stays" cmp log.before runs/test.1.er/log.xml

mkdir guest.er && : >guest.er/log.xml && er_export -q -a off -o guest.tar.zst guest.er
er_import -C runs/test.1.er guest.tar.zst 2>err
is "$? $(cat err)" "1 er_import: 'guest.tar.zst': 'guest.er' would be inside another experiment" \
	"an experiment is not unpacked into another"

# Names that er_import would refuse are not exported.
mkdir -p named.er/archives && : >named.er/map.xml && : >"named.er/archives/a$(printf '\033')_12"
er_export -a off named.er 2>err
is "$? $(cat err)" "1 er_export: 'named.er': cannot export 'archives/a\\033_12': its name contains control characters" \
	"a name with control characters is not exported"
name=$(printf 'new\nline.er')
mkdir "$name" && er_export -a off "$name" 2>err
is "$? $(ls -d new*.tar.zst 2>/dev/null)" "1 " "nor an experiment with such a name"
done_testing
