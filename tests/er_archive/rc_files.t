#!/bin/sh
# .er.rc files redirect er_archive to other files, and other users can plant them: they are read only if they
# are small regular files of root or of the user who archives.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

HOME=$PWD/home
export HOME
mkdir home there kept here
library there/a.so 1
experiment first.er
segment first.er "$PWD/gone/a.so" "$(identity there/a.so)"
cp -p there/a.so kept

# The limit makes endless reading fail. Sanitizers need the whole address space.
limit=--as=4000000000
readelf -d "$BUILD/bin/er_archive" | grep -q 'lib[a-z]*san' && limit=--as=unlimited

# archive [OPTION...]: archive there/test.1.er from here, and print the messages.
top=$PWD
archive() {
	rm -rf there/test.1.er
	cp -a first.er there/test.1.er
	(cd here && prlimit $limit timeout -k 5 20 er_archive "$@" ../there/test.1.er 2>&1 | sed "s|$top/||g")
}
missing="er_archive: missing 'gone/a.so'"
# is_refused WHY FILE: by each kind of run.
is_refused() {
	is "$(archive)" "er_archive: warning: ignoring '$2': $1
$missing" "$3"
	is "$(archive --check)" "er_archive: warning: ignoring '$2': $1
er_archive: missing 'gone/a.so': not archived" "$3: --check goes on as well"
	rm -rf "$4"
}

for place in there here home; do
	case $place in
	there) shown=../there/.er.rc ;;
	here) shown=./.er.rc ;;
	*) shown=home/.er.rc ;;
	esac
	file=$place/.er.rc

	mkfifo $file
	is_refused 'it is not a regular file' $shown "a fifo is not read ($place)" $file
	ln -s /dev/zero $file
	is_refused 'it is not a regular file' $shown "neither is a device ($place)" $file
	mkdir $file
	is_refused 'it is not a regular file' $shown "nor a directory ($place)" $file

	echo "pathmap $PWD/gone $PWD/kept" >$file
	is "$(archive)" '' "root's own file is read ($place)"
	truncate -s 1048577 $file
	is_refused 'it is too large' $shown "a large one is not ($place)" $file
	for mode in 664 646 666; do
		echo "pathmap $PWD/gone $PWD/kept" >$file
		chmod $mode $file
		is_refused 'other users can write to it' $shown \
			"nor one of mode $mode ($place)" $file
	done
	for mode in 775 757 1777; do
		echo "pathmap $PWD/gone $PWD/kept" >$file
		chmod $mode $place
		is_refused 'other users can write to its directory' $shown \
			"nor one in a directory of mode $mode ($place)" $file
		chmod 755 $place
	done
	echo "pathmap $PWD/gone $PWD/kept" >kept/rc
	ln -s ../kept/rc $file
	is "$(archive)" '' "a link to a file of root's is followed ($place)"
	rm $file kept/rc
done

# A fifo held open for writing yields neither data nor an end.
mkfifo there/.er.rc
sleep 30 <>there/.er.rc &
holder=$!
is "$(archive | head -n 1)" \
	"er_archive: warning: ignoring '../there/.er.rc': it is not a regular file" \
	'an open fifo does not matter'
kill $holder
rm there/.er.rc

# A single line for all experiments of a directory.
echo 'addpath kept' >there/.er.rc
chmod 666 there/.er.rc
archive >out
cp -a first.er there/test.2.er
er_archive there/test.1.er there/test.2.er 2>err
is "$(grep -c 'ignoring' err)" 1 'a file that is not read is reported once'
rm -r there/.er.rc there/test.2.er

# Archiving at the end of a recording.
cat >spin.c <<'EOF'
int main(void)
{
	volatile long i;

	for (i = 0; i < 100000000; i++)
		;
	return 0;
}
EOF
cc -O1 -o spin spin.c
mkfifo here/.er.rc
(cd here && timeout -k 5 60 collect -p on -A copy -o ../there/collected.1.er ../spin >../out 2>&1)
is "$?" 0 'collect ends although there is a fifo'
is "$(cat there/collected.1.er/archive.log out | grep -c "ignoring './.er.rc'")" \
	1 'and the reason is printed'
check 'the experiment is archived' test -f "$(stored there/collected.1.er spin)"
rm -r here/.er.rc there/collected.1.er

# ---- other users ----
if [ "$(id -u)" != 0 ]; then
	skip 'this needs several users' 'files of other users'
	done_testing
fi
chmod 755 .. .
mkdir -m 700 private
library private/secret.so 7
chmod 755 private/secret.so
experiment model.er
segment model.er "$PWD/gone/secret.so" "$(identity private/secret.so)"

# lure OWNER: make a directory of the attacker's with an experiment of OWNER's and a .er.rc.
lure() {
	rm -rf lure
	mkdir lure
	cp -a model.er lure/test.1.er
	printf 'pathmap %s %s\n' "$PWD/gone" "$PWD/private" >lure/.er.rc
	chown 65534:65534 lure lure/.er.rc
	chown -R "$1" lure/test.1.er
}
lured() {
	find lure/test.1.er -name 'secret.so_*' | wc -l
}

lure 65534
said=$(er_archive lure/test.1.er 2>&1 | sed "s|$PWD/||g")
is "$said-$(lured)" "er_archive: warning: ignoring 'lure/.er.rc': it belongs to another user
er_archive: missing 'gone/secret.so'-0" \
	"an attacker's file does not make root copy a private one"
lure 0
said=$(er_archive lure/test.1.er 2>&1 | sed "s|$PWD/||g")
is "$said-$(lured)" "er_archive: warning: ignoring 'lure/.er.rc': it belongs to another user
er_archive: missing 'gone/secret.so'-0" 'not into an experiment of its own either'

# A copy that root made for the attacker belongs to root, but its contents are the attacker's.
lure 0
chown 0 lure/.er.rc
said=$(er_archive lure/test.1.er 2>&1 | sed "s|$PWD/||g")
is "$said-$(lured)" "er_archive: warning: ignoring 'lure/.er.rc': other users can write to its directory
er_archive: missing 'gone/secret.so'-0" "a file of root's in the attacker's directory does not count"

lure 1234
chown -R 1234 private
said=$(as_second er_archive lure/test.1.er 2>&1 |
	sed "s|$PWD/||g" | grep -v "'home")
is "$said-$(lured)" "er_archive: warning: ignoring 'lure/.er.rc': it belongs to another user
er_archive: missing 'gone/secret.so'-0" 'nor does it make an ordinary user do so'

# Where each user has a group of his own, the umask is 002, and the group has no other members. The databases
# are replaced in a mount namespace.
cat >passwd <<'EOF'
root:x:0:0::/:/bin/sh
own:x:1234:1234::/:/bin/sh
EOF
# grouped MEMBERS COMMAND...: run it as the user own, whose group has the same name and MEMBERS.
grouped() {
	printf 'root:x:0:\nown:x:1234:%s\nteam:x:1235:own\n' "$1" >group
	shift
	# shellcheck disable=SC2016 # for that shell
	unshare -m sh -c 'mount --bind passwd /etc/passwd && mount --bind group /etc/group &&
		exec setpriv --reuid=1234 --regid=1234 --groups=1235 "$@"' sh "$@" 2>&1 | sed "s|$PWD/||g"
}
# own_rc: make a directory and a file as with umask 002.
own_rc() {
	rm -rf lure/test.1.er
	cp -a model.er lure/test.1.er
	printf 'pathmap %s %s\n' "$PWD/gone" "$PWD/private" >lure/.er.rc
	chown -R 1234:1234 lure
	chmod 775 lure
	chmod 664 lure/.er.rc
}
# is_refused_to MEMBERS WHAT NAME
is_refused_to() {
	is "$(grouped "$1" er_archive lure/test.1.er)-$(lured)" \
		"er_archive: warning: ignoring 'lure/.er.rc': other users can write to $2
er_archive: missing 'gone/secret.so'-0" "$3"
}
if unshare -m mount --bind passwd /etc/passwd 2>/dev/null; then
	own_rc
	is "$(grouped '' er_archive lure/test.1.er)-$(lured)" -2 "a group of one's own may write"
	own_rc
	is "$(grouped own er_archive lure/test.1.er)-$(lured)" -2 'also where it names its only member'
	own_rc
	is_refused_to own,other it 'but not with other members'
	own_rc
	chmod 644 lure/.er.rc
	is_refused_to own,other 'its directory' 'nor to the directory'
	own_rc
	chgrp 1235 lure/.er.rc
	is_refused_to '' it 'nor another group of his'
	own_rc
	chmod 666 lure/.er.rc
	is_refused_to '' it 'nor everyone'
	sed -i 's/^own:/mine:/' passwd
	own_rc
	is_refused_to '' it 'nor a group that only has the number of his'
	sed -i 's/^mine:/own:/' passwd
	own_rc
	if python3 - lure/.er.rc 2>/dev/null <<'EOF'; then
import os, struct, sys
# u::rw u:4321:rw g::r m::rw o::r
entries = (1, 6, -1), (2, 6, 4321), (4, 4, -1), (16, 6, -1), (32, 4, -1)
acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
os.setxattr(sys.argv[1], "system.posix_acl_access", acl)
EOF
		is_refused_to '' it 'nor a user by an ACL'
	else
		skip 'there are no ACLs here' 'users by an ACL'
	fi
else
	skip 'this needs a mount namespace' "groups of one's own"
fi

# An attacker who constantly exchanges the file.
lure 65534
chown 0 lure/test.1.er
mkfifo lure/fifo
ln -s /dev/zero lure/zero
mkdir lure/directory
ln -s ../home/.er.rc lure/link
echo "addpath $PWD/kept" >home/.er.rc
chown -h 65534:65534 lure/*[a-z]
mkfifo running
(cd lure && as_user "$BUILD/tests/er_archive/programs/exchange" .er.rc fifo \
	.er.rc zero .er.rc directory .er.rc link) <running >exchanged &
exec 3>running
set -- lure/test.1.er lure/test.1.er lure/test.1.er lure/test.1.er lure/test.1.er
runs=0
ended=0
while [ $runs -lt 100 ]; do
	prlimit $limit timeout -k 5 60 er_archive --check "$@" "$@" "$@" "$@" >out 2>&1
	[ $? = 1 ] && ended=$((ended + 1))
	runs=$((runs + 1))
done
exec 3>&-
wait
is "$ended" 100 'it does not hang however often the file is exchanged'
check "which was done $(cat exchanged) times" test "$(cat exchanged)" -ge 200
done_testing
