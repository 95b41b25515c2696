#!/bin/sh
# In another root the loader does not find the collector's library, and would say so on the program's standard
# error.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if [ "$(id -u)" != 0 ] || ! command -v ldd >/dev/null; then
	skip "only root can change its root" "another root"
	done_testing
fi

mkdir -p root/bin
cp /bin/sh /bin/ls root/bin
ldd /bin/sh /bin/ls | grep -o '/[^ ]*lib[^ ]*' | grep -v ':$' | sort -u | while read -r object; do
	mkdir -p "root${object%/*}"
	cp -L "$object" "root$object"
done
chroot root /bin/sh -c 'ls /bin; exit 5' >alone.out 2>alone.err
is "$?" 5 "there is a root that programs run in"

# in_root NAME COMMAND...: it behaves as alone, and the founder's log names the programs not recorded.
in_root() {
	in_root_name=$1
	shift
	rm -rf recorded.er
	collect -A off -o recorded.er "$@" >recorded.out 2>recorded.err
	is "$?" 5 "$in_root_name: it ends as when run alone"
	is "$(sed "/^collect: recording to /d" recorded.err)" "$(cat alone.err)" \
		"$in_root_name: no message on its standard error"
	is "$(cat recorded.out)" "$(cat alone.out)" "$in_root_name: it prints the same as alone"
	check "$in_root_name: the log names it" grep -aq 'without the recording library' recorded.er/log.xml \
		recorded.er/_*/log.xml
}

in_root chroot chroot root /bin/sh -c 'ls /bin; exit 5'
in_root "a child in it" sh -c 'chroot root /bin/sh -c "ls /bin; exit 5"; exit $?'
cat >spawns.py <<'END'
import os, sys
os.chroot("root")
os.chdir("/")
child = os.posix_spawn("/bin/sh", ["sh", "-c", "ls /bin; exit 5"], os.environ)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
END
in_root posix_spawn python3 spawns.py
done_testing
