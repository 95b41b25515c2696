#!/bin/sh
# The tools change files and directories by a single name below the descriptor of a directory they have
# judged, never by a path that others can redirect: shown for the sources, the objects, and the tools at work.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

ASAN_OPTIONS=detect_leaks=0 # leaks cannot be checked under strace
export ASAN_OPTIONS
allowed=$TESTDIR/closed_doors.allow
(
	cd "$TOP" || exit
	python3 "$TESTDIR/closed_doors.py" "$allowed" libexpt/*.[ch] libexpt/*/*.[ch] libexpt/*/*/*.[ch] er_*/*.[ch] er_*/*/*.[ch] collector/collect/*.[ch] collector/er_kernel/*.[ch] collector/launch/*.[ch] collector/outside/*.[ch] collector/target/*.[ch]
) >open 2>&1
is "$(cat open)" '' 'no call uses a path'

# Calls hidden by macros and tables: no object may need a function that no source calls by name.
by_path=$(sed -n '/^BY_PATH/,/split()/p' "$TESTDIR/closed_doors.py" | grep -o '[a-z]\{4,\}' | grep -vx split)
for folder in libexpt er_archive er_cp er_export er_html er_mv er_print er_rm collector/collect collector/er_kernel collector/launch \
	collector/outside collector/target; do
	find "$BUILD/$folder" -name '*.o' -exec nm -A -u {} +
done | sed "s|^$BUILD/||;s|\.o: *U |.c |;s|@.*||" | awk -v names="$by_path
fchmodat" 'BEGIN { split(names, list, "\n"); for (i in list) by_path[list[i]] } $2 in by_path' |
	while read -r file function; do
	grep -q "^${file}[[:space:]]*${function}[[:space:]]" "$allowed" || echo "$file $function"
done >needed
is "$(cat needed)" '' 'no object needs a function that does'

if ! strace -o trace true 2>/dev/null; then
	skip 'no strace' 'what the tools do'
	done_testing
fi
# A single thread, because strace would cut lines in two.
ER_THREADS=1
export ER_THREADS

as=''
# closed COMMAND...: it succeeds, and changes nothing by path.
closed() {
	$as strace -f -qq -o trace -e trace=file,desc "$@" >out 2>&1 </dev/null
	is "$? $(python3 "$TESTDIR/closed_doors_trace.py" /dev/null '.*[.]erg' <trace)" '0 ' "${as:+as another user: }$*" ||
		sed 's/^/# /' out
}
make_experiment a.er
collect -A off -o r.er /bin/true 2>/dev/null
printf '#analyzer experiment group\na.er\nr.er\n' >g.erg
mkdir d e f
closed er_cp a.er d/b.er
closed er_cp -f a.er d/b.er
closed er_cp -q --verify -a copy r.er d/v.er
closed er_mv d/b.er d/c.er
closed er_mv -f d/c.er d/r.er
elsewhere=/dev/shm/erkit-doors.$$.er
if [ -d /dev/shm ] && [ "$(stat -c %d /dev/shm)" != "$(stat -c %d .)" ]; then
	closed er_mv d/r.er $elsewhere
	closed er_mv $elsewhere d/r.er
fi
closed er_cp -g g.erg e/g.erg
closed er_mv -g e/g.erg f/
closed collect -F off -C note -o f/x.er /bin/true
closed er_archive -a src r.er
mkdir store
closed er_archive -q -d store/s r.er
closed er_archive -q -F -d store/s r.er
closed er_archive -q -F -r store/s r.er
closed er_archive --check r.er
closed er_export -q -o b.tar.zst r.er a.er
closed er_export -q -fo b.tar.zst r.er a.er
closed er_export --text -o b.txt r.er
closed er_html -q -o b.html r.er
closed er_export --format=json -o b.json r.er
closed er_archive -q --check b.tar.zst
closed er_import -q -C e b.tar.zst
closed er_import -q -fC e b.tar.zst
closed er_print -functions b.tar.zst
umask 0777
closed er_cp r.er e/closed.er
closed er_import -q -fC e b.tar.zst
umask 022
closed er_rm -r --older-than 1d e
closed er_rm -r --keep 1 d
chmod -R 0 d
closed er_rm -r --name='*' d
closed er_rm r.er

# A user must make unreadable files readable, to copy and to remove them.
if [ "$(id -u)" != 0 ]; then
	skip 'not root' 'the same as another user'
	done_testing
fi
mkdir theirs
cp -R a.er theirs/a.er
chown -R 65534:65534 theirs
: >trace
chmod 777 . trace
chmod 755 ..
as='setpriv --reuid=65534 --regid=65534 --clear-groups'
if ! $as test -x "$BUILD/bin/er_rm" -a -w theirs; then
	skip 'another user cannot run our programs here' 'the same as another user'
	done_testing
fi
closed er_cp theirs/a.er theirs/b.er
closed er_cp -f theirs/a.er theirs/b.er
closed er_archive -q theirs/b.er
closed er_export -q -a off -o theirs/b.tar theirs/b.er
umask 0777
closed er_import -q -fC theirs theirs/b.tar
umask 022
chmod -R a-rwx theirs/a.er
closed er_rm theirs/a.er
done_testing
