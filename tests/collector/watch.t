#!/bin/sh
# Accesses to memory, estimated with watchpoints: shares, blocks, and what programs notice of it.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if [ "$(uname -m)" != x86_64 ] || ! collect -n -h +watch true >/dev/null 2>&1; then
	skip "no watchpoints here" "accesses to memory"
	done_testing
fi

# ---- the words ----

is "$(collect -n -h +watch true | sed -n 's/^  counter  *//p')" \
	"watch, every 10007000 nanoseconds, with data addresses" "+watch: the interval is a time"
is "$(collect -n -h +watch,hi true 2>&1 | sed -n 's/^  counter  *//p')" \
	"watch, every 1000700 nanoseconds, with data addresses" "+watch,hi"
is "$(collect -n -h +watch,5 true 2>&1 | grep -v '^ ' | head -n 1)" \
	"collect: warning: -h +watch,5: raised to the minimum of 1000000 nanoseconds" "+watch,5"
collect -n -h watch true 2>message
is "$?: $(cat message)" "2: collect: -h watch: this counter needs a '+' before its name" "watch without '+'"
collect -n -h +watch,+watch,hi true 2>message
is "$?: $(cat message)" "2: collect: -h +watch,+watch,hi: memory is already watched" "+watch twice"
check "collect -h lists it" grep -q '^    \[+\]watch,10007000 ' <<-END
	$(collect -h)
END

# ---- shares ----

# judge COUNTS: read the events; fail unless each structure's share of all bytes is the program's own within three
# standard errors. Accesses to one byte in one period are one observation. An estimate that is off by a factor, or
# errors so large that nothing could fail, are found out.
judge() {
	er_export --text --only hwc --format json test.1.er | python3 -c '
import collections, json, math, sys
readers = {"move": "particle", "add_up": "order", "walk": "node", "scan": "sample"}
own = {words[0]: int(words[1]) for words in map(str.split, open(sys.argv[1]))}
seen = collections.OrderedDict()
for line in sys.stdin:
    event = json.loads(line)
    if event["kind"] != "hwcounters" or event["stack"][0]["function"] not in readers:
        continue
    fields = event["fields"]
    key = (event["thread"], fields["VADDR"], fields["HWCINT"], int(event["time"] / .05))
    item = seen.setdefault(key, [readers[event["stack"][0]["function"]], 0])
    item[1] += fields["HWCINT"]
bytes, squares = collections.Counter(), collections.Counter()
for name, value in seen.values():
    bytes[name] += value
    squares[name] += value * value
total, all_squares = sum(bytes.values()), sum(squares.values())
print("#", len(seen), "bytes were met, %.2f of all accesses" % (total / sum(own.values())))
good = len(seen) > 100 and .3 < total / sum(own.values()) < 3
for name, value in own.items():
    share, true = bytes[name] / max(total, 1), value / sum(own.values())
    error = math.sqrt((1 - share) ** 2 * squares[name] + share ** 2 * (all_squares - squares[name])) / max(total, 1)
    print("# %s: %.3f, its own count %.3f, standard error %.3f" % (name, share, true, error))
    good = good and abs(share - true) <= 3 * error and error < .1
sys.exit(not good)' "$1"
}

# Of a hundred good estimates one is off by three errors; on a busy host a recording may have few events.
estimate() { # WHAT ARGUMENTS...
	estimate_what=$1
	shift
	for _ in 1 2 3 4; do
		rm -rf test.1.er
		collect -p off -A off -S off -h +watch -o test.1.er "$programs/watched" "$@" >counts 2>errors
		judge counts >judged && break
		sed 's/^# /# again: /' judged
	done
	check "$estimate_what: the shares of all structures are the program's own" judge counts
}

estimate "four structures" 4
er_print -data_objects test.1.er >objects
is "$(sed -n 's/^.*{structure:\([a-z]*\)}$/\1/p' objects | head -n 2 | sort | tr '\n' ' ')" "node particle " \
	"data_objects: most bytes are of these two"
is "$(sed -n 's/^.*{structure:\([a-z]*\)}$/\1/p' objects | sort | tr '\n' ' ')" "node order particle sample " \
	"and all four are there"
check "their members are named" grep -q '{structure:particle}.{double speed}$' objects
is "$(grep -c 'unused' objects)" 0 "and none that the program does not use"
check "the reader opens it" is_clean test.1.er
estimate "two threads" 2 2
is "$(er_export --text --only hwc --format json test.1.er | grep -o '"thread":[0-9]*' | sort -u | grep -c .)" 2 \
	"each thread watches its own accesses"

# ---- blocks ----

# With heap tracing the blocks are known: what was watched lies in one, or in the globals of an object.
collect -p off -H on -h +watch,hi -o blocks.1.er "$programs/watched" 1 >counts 2>errors
er_export --text --only hwc,heap,map --format json blocks.1.er | python3 -c '
import bisect, json, sys
blocks, events = {}, []
for line in sys.stdin:
    record = json.loads(line)
    if record["kind"] == "heaptrace" and "HSIZE" in record["fields"]:
        blocks[int(record["fields"]["HVADDR"], 16)] = int(record["fields"]["HSIZE"])
    elif record["kind"] == "hwcounters":
        events.append(record)
starts = sorted(blocks)
def is_inside(event):
    address = int(event["fields"]["VADDR"], 16)
    i = bisect.bisect_right(starts, address) - 1
    return i >= 0 and address < starts[i] + blocks[starts[i]]
readers = [e for e in events if e["stack"][0]["function"] in ("walk", "move", "add_up")]
print(len(readers) > 20, all(map(is_inside, readers)))
' >inside
is "$(cat inside)" "True True" "accesses are to blocks that heap tracing knows"

# A freed block is not watched, whoever gets its address next: allocators and large blocks do.
cat >reused.c <<-END
	#include <stdlib.h>
	#include <string.h>
	struct kept { long value[64]; };
	struct passing { char text[512]; };
	static volatile long sum;
	__attribute__((noinline)) static void add(const struct kept *kept, int i)
	{
		sum += kept->value[i];
	}
	int main(void)
	{
		struct kept *kept[100];
		for (int i = 0; i < 100; i++)
			kept[i] = calloc(1, sizeof(*kept[i]));
		for (long round = 0; round < 3000000; round++) {
			struct passing *passing = malloc(sizeof(*passing));
			memset(passing, (int)round, sizeof(*passing));
			sum += passing->text[round % 512];
			free(passing);
			add(kept[round % 100], round % 64);
		}
		return 0;
	}
END
cc -g -O1 -o reused reused.c
for _ in 1 2 3 4; do
	rm -rf reused.1.er
	collect -p off -h +watch,hi -o reused.1.er ./reused 2>errors
	echo $? >status
	er_print -data_objects reused.1.er >objects
	if grep -q '{structure:kept}' objects; then
		break
	fi
done
is "$(cat status)" 0 "blocks that come and go: the program ends as when run alone"
check "and the blocks that stay have accesses" grep -q '{structure:kept}' objects

# ---- programs notice nothing ----

# shellcheck disable=SC2034 # for as_alone
library="$BUILD/lib/erkit/libcollector.so $BUILD/lib/erkit/libcollector-heap.so"
parameters='h:watch,,0,5,0,0,0,1000700,3|;a:off;'
for situation in goroutines fibers vectors; do
	as_alone "$situation" "$programs/handmade" "$situation"
done
for situation in raw_forks unseen_forks; do
	as_alone "$situation" "$programs/processes" "$situation"
done
as_alone exceptions "$programs/exceptions" 30000 3
as_alone threads "$programs/threads"
as_alone stacks "$programs/stacks" contexts
check "stacks: the reader has no complaint" is_clean recorded.er

# A program that executes another one by the call itself, without a wrapper: no trap of the first may end the second.
cat >executes.c <<-END
	#include <stdlib.h>
	#include <string.h>
	#include <sys/syscall.h>
	#include <unistd.h>
	static volatile long table[512];
	int main(int argc, char **argv)
	{
		int left = atoi(argv[1]);
		char word[16] = { 0 }, *next[] = { argv[0], word, NULL };
		for (long i = 0; i < 3000000; i++)
			table[i % 512]++;
		word[0] = '0' + left - 1;
		if (left > 0)
			syscall(SYS_execve, "/proc/self/exe", next, environ);
		return 7;
	}
END
cc -O1 -D_GNU_SOURCE -o executes executes.c
as_alone "executes by the call" ./executes 9

# Samples stop and go on with a signal; nothing is recorded meanwhile.
collect -p off -h +watch,hi -y USR1 -o paused.1.er "$programs/watched" .3 >counts 2>errors
is "$(er_export --text --only hwc --format json paused.1.er 2>/dev/null | grep -c '"kind":"hwcounters"')" 0 \
	"paused from the start: nothing is recorded"

# The registers are a debugger's, if there is one.
if command -v gdb >/dev/null; then
	rm -rf test.1.er
	gdb -q -nx -batch -ex 'set startup-with-shell off' -ex 'set follow-exec-mode same' -ex run \
		--args "$BUILD/bin/collect" -p off -h +watch -o test.1.er "$programs/watched" .2 >gdb.out 2>&1
	check "under gdb: the program runs to its end" grep -q '^\[Inferior 1 (process [0-9]*) exited normally\]' gdb.out
	check "and the log says that nothing is watched" grep -aq 'cannot count a thread with watch' test.1.er/log.xml
	is "$(grep -c 'SIGTRAP' gdb.out)" 0 "and gdb does not stop"
else
	skip "no gdb" "a debugger"
fi

done_testing
