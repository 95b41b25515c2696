#!/bin/sh
# Objects that compilers do not make: sparse ones, links of debug files that lie or lead nowhere, names of
# non-files.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

# alone PATH [ATTRIBUTES]: make an experiment with this object only.
alone() {
	rm -rf test.1.er
	experiment test.1.er
	segment test.1.er "$@"
}

# altlink OBJECT PATH ID: make it share strings with the file of that build at PATH.
altlink() {
	{
		printf '%s\0' "$2"
		printf '%s' "$3" | sed 's/../\\x&/g' | xargs -0 printf '%b'
	} >altlink
	objcopy --add-section .gnu_debugaltlink=altlink "$1"
	rm altlink
}

echo 'int f(int x) { return x * 2; }' >l.c
cc -g -gdwarf-5 -O1 -shared -fPIC -Wl,--build-id -o plain.so l.c

# ---- holes ----

cp plain.so sparse.so
truncate -s 3G sparse.so
alone "$PWD/sparse.so" "$(identity sparse.so)"
timeout 60 er_archive test.1.er 2>err
is "$? $(cat err)" "0 " "an object with a hole is copied"
copy=$(stored test.1.er sparse.so)
is "$(stat -c %s "$copy")" "$(stat -c %s sparse.so)" "in its size"
check "without room for the hole" test "$(stat -c %b "$copy")" -lt 1000
check "with equal contents" cmp -n 1000000 sparse.so "$copy"
timeout 60 er_archive --check test.1.er 2>err
is "$? $(cat err)" "0 " "and so says its checksum"
printf X | dd of="$copy" bs=1 seek=2000000000 conv=notrunc 2>/dev/null
timeout 60 er_archive --check test.1.er 2>err
is "$?" 1 "which finds a byte in the hole"
rm sparse.so
printf 'abc' >end
cp plain.so middle.so
truncate -s 1M middle.so
cat end >>middle.so
truncate -s 1100000 middle.so
alone "$PWD/middle.so"
er_archive test.1.er 2>err
check "data after a hole is kept" cmp middle.so "$(stored test.1.er middle.so)"

# ---- files that several debug files share ----

mkfifo pipe
cp plain.so piped.so
altlink piped.so "$PWD/pipe" "$(build_id plain.so)"
# The names of its line table are in the shared file.
python3 - piped.so <<'END'
import re, subprocess, sys
text = subprocess.run(["readelf", "-SW", sys.argv[1]], capture_output=True, text=True).stdout
offset = int(re.search(r"\.debug_line\s+PROGBITS\s+\S+ (\S+)", text)[1], 16)
with open(sys.argv[1], "r+b") as file:
    content = bytearray(file.read())
    for i in range(offset, offset + 60):
        if content[i] == 0x1f:  # line_strp
            content[i] = 0x1d  # strp_sup
    file.seek(0)
    file.write(content)
END
alone "$PWD/piped.so" "$(identity piped.so)"
timeout 20 er_archive -a src test.1.er 2>err
is "$? $(grep -c 'cannot list all of its source files' err)" "0 1" "no fifo is opened for the strings of a line table"
cp plain.so self.so
altlink self.so "$PWD/self.so" "$(build_id plain.so)"
alone "$PWD/self.so" "$(identity self.so)"
timeout 20 er_archive -a src -v test.1.er >out 2>err
is "$? $(grep -c "copied $PWD/l.c" out)" "0 1" "one that shares with itself is not a loop"

# ---- debug files ----

for name in first second; do
	cp plain.so $name.so
	objcopy -R .note.gnu.build-id $name.so
done
cp plain.so second.debug
objcopy --add-gnu-debuglink=second.debug first.so
echo >>second.debug
alone "$PWD/first.so"
er_archive test.1.er 2>err
is "$? $(grep -c "second.debug': it is from another build" err) $(stored test.1.er second.debug)" "0 1 " \
	"a debug file of another checksum is left out"
rm second.debug
mkfifo second.debug
alone "$PWD/first.so"
timeout 20 er_archive test.1.er 2>err
is "$? $(stored test.1.er second.debug)" "0 " "a fifo is not a debug file"

# ---- names of non-files, or of places elsewhere ----

alone "[vdso]"
for name in '/memfd:code (deleted)' '/dev/zero (deleted)' '//anon' /SYSV00000000 'anon_inode:[perf_event]'; do
	segment test.1.er "$name"
done
er_archive -v test.1.er >out 2>err
is "$? $(cat out err)" "0 " "memory is not an object"
alone "$PWD/gone.so (deleted)" 'buildid="1234"'
for name in /dev/tty /proc/self/exe /dev/zero "$PWD"; do
	segment test.1.er "$name"
done
timeout 20 er_archive test.1.er 2>err
is "$? $(sed "s|$PWD|.|g; s/er_archive: //" err)" "1 missing './gone.so (deleted)': deleted before it was recorded
refused '/dev/tty': not a regular file
refused '/proc/self/exe': not a regular file
refused '/dev/zero': not a regular file
refused '.': not a regular file" "devices, links and directories are refused"
done_testing
