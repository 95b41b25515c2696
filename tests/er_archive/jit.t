#!/bin/sh
# Perf maps and jitdump files, which name code made at run time, are taken along if they are the process's own, and
# er_print uses them wherever the experiment goes.
. "$TOP/tests/lib/tap.sh"

if ! command -v python3 >/dev/null; then
	skip "no python3" "names of code made at run time"
	done_testing
fi

# No process has such a number.
pid=$((5000000 + $$))
map=/tmp/perf-$pid.map
trap 'rm -f "$map" "$map.link"' EXIT

# jit EXPERIMENT [HOST [COMMENT]]: events in and outside of the code that the files name.
jit() {
	rm -rf "$1"
	PYTHONPATH=$TOP/tests/lib python3 -B - "$1" $pid "${2:-$(uname -n)}" "$3" <<-'END'
		import sys
		from experiment import Experiment
		path, pid, host, comment = sys.argv[1:]
		test = Experiment(path, pid=int(pid), host=host)
		for place, ticks in ((0x7000, 1), (0x7010, 2), (0x7020, 4), (0x8000, 8)):
		    test.clock([place, 0x9000], ticks=ticks, time=place * 1000)
		test.sample(3_000_000_000, "end")
		if comment:
		    test.events.append('<event kind="comment" id="400">%s</event>' % comment)
		test.write()
	END
}

# perf_map [DATE]: name part of it, as if the process had done so.
perf_map() {
	rm -f "$map"
	printf '7000 10 first one\n7010 10 second\n8000 10 first one\n' >"$map"
	touch -d "${1:-@1700000002}" "$map"
}

# rows EXPERIMENT: the functions with their CPU time.
rows() {
	er_print -metrics e.totalcpu -sort name -functions "$1" |
		sed -n 's/^ *\(0\.[0-9]*\) *\(.*\)/\2 \1/p' | tr '\n' ,
}

nameless='<Total> 0.150,<Unknown> 0.150,'
named='<Total> 0.150,<Unknown> 0.040,first one 0.090,second 0.020,'

# taken TEXT: an archiver takes the file.
taken() {
	jit test.1.er "$2"
	check "$1: er_archive succeeds" er_archive test.1.er
	is "$(rows test.1.er)" "$named" "$1: it names the code"
}

# left TEXT [MESSAGE]: it does not, and says why, which is no failure.
left() {
	jit test.1.er "$3"
	er_archive test.1.er >out.txt 2>&1
	is $? 0 "$1: er_archive succeeds"
	is "$(sed "s|$map|MAP|" out.txt)" "$2" "$1: says why"
	is "$(rows test.1.er)" "$nameless" "$1: names no code"
	is "$(find test.1.er/archives -name 'perf-*')" "" "$1: is not in the archives"
}

# ---- perf maps ----

perf_map
taken "a perf map"
is "$(sed -n 's/^names \([^ ]* [^ ]*\) .*/\1/p' test.1.er/archives/manifest)" "$map $map" \
	"the manifest lists it"
cmp -s "$map" test.1.er/archives/perf-*
ok $? "it is copied whole"
is "$(er_archive -v test.1.er)" "present $map" "it is not copied again"
check "its copy is checked" er_archive --check test.1.er
chmod u+w test.1.er/archives/perf-*
cp -rp test.1.er harmed.er
printf x >>"harmed.er/archives/$(basename test.1.er/archives/perf-*)"
er_archive --check harmed.er >out.txt 2>&1
is $? 1 "a harmed copy is noticed"

# That of a descendant, whose founder has none.
jit family.er
sed -i "s/pid=\"$pid\"/pid=\"1\"/" family.er/log.xml
jit child.er
mv child.er family.er/_f1.er
rm -rf family.er/_f1.er/archives
check "a descendant's perf map: er_archive succeeds" er_archive family.er
is "$(rows family.er)" '<Total> 0.300,<Unknown> 0.190,first one 0.090,second 0.020,' \
	"a descendant's perf map names its code, and no other"

cp -rp test.1.er apart.er
mv apart.er/archives/perf-* kept
is "$(rows apart.er)" "$nameless" "er_print reads it in the archives only"
mv kept "apart.er/archives/$(basename test.1.er/archives/perf-*)"

rm -f "$map"
er_archive -F test.1.er >out.txt 2>&1
is "$? $(rows test.1.er)" "0 $named" "it is kept where it cannot be copied again"
check "er_cp" er_cp test.1.er copy.er
is "$(rows copy.er)" "$named" "er_cp takes it along"
check "er_export" er_export -o bundle.tar.zst test.1.er
is "$(rows bundle.tar.zst)" "$named" "it is read in a bundle"
check "er_export" er_export --no-sources -o less.tar.zst test.1.er
is "$(rows less.tar.zst)" "$named" "it is no source"
mkdir in
check "er_import" sh -c 'cd in && er_import ../bundle.tar.zst'
is "$(rows in/test.1.er)" "$named" "er_import takes it along"

perf_map
jit test.1.er
rm -rf test.1.er/archives
check "er_export" er_export -o packed.tar.zst test.1.er
is "$(rows packed.tar.zst)" "$named" "er_export packs it as it packs load objects"
check "er_archive -d" er_archive -d store test.1.er
is "$(rows test.1.er)" "$named" "it may be in a store"
jit test.1.er
is "$(er_archive --dry-run -v test.1.er; ls test.1.er/archives)" "copied $map" "a dry run copies nothing"
jit test.1.er
er_archive -m nothing test.1.er
is "$(ls test.1.er/archives)" "" "patterns apply to it"

perf_map '@1700000000'
taken "a perf map of the first second"
perf_map '@1699999999'
left "a perf map of an earlier process" "er_archive: warning: 'MAP': not archived: not written during the run"
perf_map '@1700000060'
left "a perf map of a later process" "er_archive: warning: 'MAP': not archived: not written during the run"
perf_map
left "an experiment of another host" "" elsewhere
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$map"
touch -d '@1700000001' "$map"
left "another kind of file" "er_archive: warning: 'MAP': not archived: it does not name code"
perf_map
mv "$map" target
ln -s "$PWD/target" "$map"
left "a link" "er_archive: warning: 'MAP': not archived: not a regular file"
perf_map
ln "$map" "$map.link"
left "a file with two names" "er_archive: warning: 'MAP': not archived: it has several names"
rm -f "$map" "$map.link"
mkfifo "$map"
left "a pipe" "er_archive: warning: 'MAP': not archived: not a regular file"
rm -f "$map"
truncate -s 65M "$map"
touch -d '@1700000001' "$map"
left "a huge file" "er_archive: warning: 'MAP': not archived: too large"
if [ "$(id -u)" = 0 ]; then
	perf_map
	chown 65534 "$map"
	left "a file of another user" \
		"er_archive: warning: 'MAP': not archived: it belongs to another user than the experiment"
else
	skip "not root" "a file of another user"
fi
rm -f "$map"

# ---- jitdump ----

# dump PATH: first at 0x7000, replaced by second when the events at 0x7000 are over; 5 ns ahead of the events.
dump() {
	python3 - "$1" <<-'END'
		import struct, sys
		start = 1_000_000_000_000
		with open(sys.argv[1], "wb") as file:
		    file.write(struct.pack("<6I2Q", 0x4a695444, 1, 40, 62, 0, 17, 0, 0))
		    for name, address, size, time in ((b"first one", 0x7000, 0x20, 0), (b"first one", 0x8000, 0x10, 0),
		                                      (b"second", 0x7000, 0x20, 0x7010 * 1000 + 5)):
		        file.write(struct.pack("<2IQ2I4Q", 0, 56 + len(name) + 1, start + time, 17, 17, address,
		                               address, size, 1) + name + b"\0")
	END
	touch -d '@1700000002' "$1"
}

dump "$PWD/jit-17.dump"
jit test.1.er "$(uname -n)" "jitdump: 5 $PWD/jit-17.dump"
is "$(er_archive -v test.1.er)" "copied $PWD/jit-17.dump" "a jitdump file that the log names is copied"
is "$(rows test.1.er)" "$named" "names count from their time on"
er_export -o dump.tar.zst test.1.er && rm jit-17.dump
is "$(rows dump.tar.zst)" "$named" "a bundle has it"
jit test.1.er "$(uname -n)" "jitdump: 5 $PWD/jit-17.dump"
check "a jitdump file that is gone is no failure" er_archive test.1.er
for comment in "jitdump: 5 /etc/passwd" "jitdump: /jit-1.dump" "jitdump: 99999999999999999999999 /jit-1.dump" \
	"jitdump: 5 ../jit-1.dump" "jitdump: 5 jit-1.dump" "jitdump: "; do
	jit test.1.er "$(uname -n)" "$comment"
	is "$(er_archive -v test.1.er 2>&1)$(rows test.1.er)" "$nameless" "'$comment' is ignored"
done

done_testing
