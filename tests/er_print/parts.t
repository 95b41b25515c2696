#!/bin/sh
# Large files are read by several threads, each of which begins where a packet seems to be. Nothing else shows it,
# whatever the file holds.
. "$TOP/tests/lib/tap.sh"

PYTHONPATH=$TOP/tests/lib python3 - "$(command -v cat)" <<-END
	import random
	import sys
	from experiment import Experiment

	made = Experiment("whole.er", ptimer=10000, numstates=1)
	base = made.segment(sys.argv[1])
	random.seed(1)
	uids = [made.stack([base + random.randrange(1, 30000) for _ in range(random.randrange(1, 9))]) for _ in range(999)]
	for i in range(20000):
	    made.clock(uids[random.randrange(len(uids))], ticks=1 + i % 3, thread=100 + i * i % 37 * (1 + i // 9000),
	               cpu=i // 7000)
	made.write()
	packets = open("whole.er/profile", "rb").read()
	with open("whole.er/profile", "wb") as file:
	    for i in range(40):
	        file.write(packets)
END

# damaged NAME PYTHON: a copy in which the bytes b are changed
damaged() {
	cp -R whole.er "$1.er"
	python3 - "$1.er/profile" <<-END
		import sys
		b = bytearray(open(sys.argv[1], "rb").read())
		half, start = len(b) // 2, len(b) // 2 // 16384 * 16384
		$2
		open(sys.argv[1], "wb").write(b)
	END
}
damaged garbage 'b[half:half + 1000] = bytes(range(1, 251)) * 4'
damaged late 'b[half + 9000000:half + 9001000] = b"x" * 1000'
damaged early 'b[1000:2000] = b"x" * 1000'
damaged zeros 'b[half - 100000:half + 100000] = bytes(200000)'
damaged hole 'b[half + 70000:half + 270000] = bytes(200000)'
damaged moved 'b[half:half] = b"\0\0\0\0"'
damaged odd 'b[half:half] = b"\0\0"'
damaged cut 'del b[-30:]'
damaged large 'b[half // 56 * 56:half // 56 * 56 + 2] = b"\xff\xff"'
# Bytes that one reader skips, another one takes for packets.
damaged hidden 'b[start - 16384 + 100:start - 16384 + 104] = b"\1\0\1\0"'
damaged inside 'b[start - 60000:start - 60000] = b"\x60\xea\x63\0" + bytes(4)'

# shown THREADS NAME
shown() {
	ER_THREADS=$1 er_print -limit 30 -functions -threads -cpus -statistics -header -metrics e.totalcpu -pcs "$2.er" 2>&1
}
for name in whole garbage late early zeros hole moved odd cut large hidden inside; do
	shown 1 $name >one
	shown 2 $name >two
	shown 7 $name >seven
	check "$name: two threads" cmp one two
	check "$name: seven threads" cmp one seven
	[ $name = whole ] || ! cmp -s one whole || echo "# $name is like the whole"
	[ $name = whole ] && mv one whole
done
check "the whole has all packets" grep -q '^ *15999.600 100.00' whole

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	threads() {
		ER_THREADS=$1 strace -f -e trace=clone,clone3 -o calls er_print -functions "$2" >/dev/null 2>&1
		grep -c 'clone.*) = [0-9]' calls
	}
	case $BUILD in
	*asan*) skip "a sanitizer has threads of its own" "one thread, if so wanted" ;;
	*) is "$(threads 1 whole.er)" 0 "one thread, if so wanted" ;;
	esac
	ok "$(($(threads 3 whole.er) < 2))" "several, for a large file"
else
	skip "strace cannot trace here" "the number of threads"
fi
done_testing
