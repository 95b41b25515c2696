#!/bin/sh
# The logic of counters without hardware counters: overflows come from a file, and are recorded unchanged.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

library=$BUILD/tests/collector/replay/libcollector.so
program=$programs/replayed

if ! setarch -R true 2>/dev/null; then
	skip "addresses cannot be made the same for each run" "replayed counters"
	done_testing
fi

# The address of a function in a program that is always loaded at the same place.
address_of() {
	nm "$program" | awk -v name="$1" '$3 == name { print $1 }' |
		{ read -r offset && printf '%x' "$((0x555555554000 + 0x$offset + ${2:-0}))"; }
}
culprit=$(address_of culprit 4)
victim=$(address_of victim 4)
kernel=ffffffff81000000

# Two counters, 1 with addresses (flags 2) and 2 without: name, internal name, processor, type, config ...
counters='h:loads,mem_loads,0,4,1,0,0,1000,2|misses,,0,4,2,0,0,500,0|;'
cat >overflows <<END
1 1 1000 $culprit 7f0000001000
1 2 500 $culprit 0
2 1 2003 $culprit 7f0000002000
3 2 1000 $victim 0
3 2 1500 $victim 0
4 1 3003 $kernel 7f0000003000
4 2 2000 $culprit 0
6 1 7003 $victim 0
END
OVERFLOWS=$PWD/overflows
export OVERFLOWS
record recorded.er "p:off;${counters}a:off;" setarch -R "$program" 1 >out 2>&1
is "$?" 0 "the program ends as when run alone"

# In the file's order: the events, data address and instruction of each overflow.
er_export --text --only hwc --format json recorded.er >records.json
python3 - records.json >fields <<'END'
import json, sys
for line in open(sys.argv[1]):
    fields = json.loads(line).get("fields", {})
    if "HWCTAG" in fields:
        print(*(fields.get(name, "-") for name in ("HWCTAG", "HWCINT", "VADDR", "VIRTPC")))
END
cat >expected <<END
0 1000 0x7f0000001000 0x$culprit
1 500 - -
0 1003 0x7f0000002000 0x$culprit
1 500 - -
1 500 - -
0 1000 0x7f0000003000 0x0
1 500 - -
0 4000 0x5 0x$victim
END
check "counters, events, addresses and instructions are those of the file" diff expected fields

# The stack is that of the signal, skid included. If the counter knows the instruction, that is the leaf.
metrics() {
	"$@" -metrics e.loads:e.misses:name -sort name -functions recorded.er 2>errors |
		awk '$NF ~ /^(<Total>|culprit|victim)$/ { print $NF, $1, $2 }' | sort
}
is "$(metrics er_print)" "<Total> 7003 2000
culprit 2003 0
victim 4000 0" "events are counted at their instruction, or else at the stack's leaf"
if command -v gp-display-text >/dev/null; then
	is "$(metrics gp-display-text)" "$(metrics er_print)" "gprofng counts the same"
fi

# Shapes of the processors' own records, with a counter of precise samples (flags 2 << 2) that has addresses:
# of Intel, whose registers are those after the instruction; of AMD, whose registers are those of the interrupt,
# and which samples instructions without an access, too; of Arm, without registers. A record that the processor
# did not make itself does not have the instruction.
counters='h:loads,mem_loads,0,4,1,0,0,1000,10|;'
cat >overflows <<END
1 1 1000 $culprit 7f0000001008 123451008 0=7f0000002000 7=7ffc00000010 15=ffffffffffffffff
2 1 2000 $culprit 0 0 3=1 4=2
3 1 3000 $culprit 7f0000001010 123451010
4 1 4000 $culprit 7f0000001018 123451018 0=5 inexact
5 1 5000 $culprit ff
6 1 6000 $culprit 100
7 1 7000 $culprit dead000000000008
8 1 8000 $culprit ffff8000deadbee0
9 1 9000 $culprit 00fffffffffffff8
END
record recorded.er "p:off;${counters}a:off;" setarch -R "$program" 1 >out 2>&1
er_export --text --only hwc --format json recorded.er >records.json
python3 - records.json >fields <<'END'
import json, sys
for line in open(sys.argv[1]):
    fields = json.loads(line).get("fields", {})
    if "HWCTAG" in fields:
        print(*(fields[name][2:] for name in ["VADDR", "VIRTPC", "PADDR"] + ["REG%d" % i for i in range(16)]))
END
cat >expected <<END
7f0000001008 $culprit 123451008 7f0000002000 0 0 0 0 0 0 7ffc00000010 0 0 0 0 0 0 0 ffffffffffffffff
5 $culprit 0 0 0 0 1 2 0 0 0 0 0 0 0 0 0 0 0
7f0000001010 $culprit 123451010 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
7f0000001018 0 123451018 5 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
5 $culprit 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
100 $culprit 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
5 $culprit 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
5 $culprit 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
fffffffffffff8 $culprit 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
END
check "physical addresses and registers are those of the file, and codes where there is no address" \
	diff expected fields
if command -v gp-display-text >/dev/null; then
	is "$(gp-display-text -metrics e.loads -functions recorded.er | awk '$NF == "<Total>" { print $1 }')" 9000 \
		"gprofng reads all of them"
fi

done_testing
