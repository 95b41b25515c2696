#!/bin/sh
# Data objects of counters: the reasons why an object is not found, for overflows that come from a file.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

library=$BUILD/tests/collector/replay/libcollector.so

if [ "$(uname -m)" != x86_64 ]; then
	skip "data objects are found on x86-64 only" "reasons"
	done_testing
elif ! setarch -R true 2>/dev/null; then
	skip "addresses cannot be made the same for each run" "reasons"
	done_testing
fi

cat >plain.c <<-END
	long plain(long *cell)
	{
		long value;
		__asm__ volatile("plain_load: mov (%1), %0" : "=r"(value) : "r"(cell));
		return value;
	}
END
cat >program.c <<-END
	#include <stdlib.h>

	struct node { long key; struct node *next; };
	long plain(long *cell);

	__attribute__((noinline, noclone)) long visit(struct node *node)
	{
		long value;
		__asm__ volatile("visit_load: mov 8(%1), %0\nvisit_next: nop" : "=r"(value) : "r"(node));
		return value;
	}
	/* After a call nothing tells what was before; at the target of a branch only how many instructions. */
	__attribute__((noinline, noclone)) long turn(struct node *node)
	{
		long value;
		__asm__ volatile("call 1f\nturn_call: nop\njmp 2f\n1: ret\n2:\n"
				 "turn_load: mov 8(%1), %0\nturn_target: nop\n"
				 "dec %%ecx\njg turn_target\nturn_end: nop"
				 : "=r"(value) : "r"(node) : "ecx");
		return value;
	}
	/* Whenever a signal comes, the program is here. */
	__attribute__((noinline, noclone)) void wait(long rounds)
	{
		__asm__ volatile("nop\n1: dec %0\njnz 1b" : "+r"(rounds));
	}
	long scalar;
	__attribute__((noinline, noclone)) void set(void)
	{
		__asm__ volatile("scalar_store: mov %%rax, scalar(%%rip)" : : : "memory");
	}
	int main(void)
	{
		static struct node node;
		wait(400000000);
		set();
		return (visit(&node) + turn(&node) + plain(&node.key)) == 1;
	}
END
cc -O1 -c plain.c && cc -O1 -g -o program program.c plain.o || exit 1

# The address of a name in a program that is always loaded at the same place.
address_of() {
	nm program | awk -v name="$1" '$3 == name { print $1 }' |
		{ read -r offset && printf '%x' "$((0x555555554000 + 0x$offset))"; }
}

# events LINE...: record overflows of counters, as a rule of one with addresses.
counters='loads,mem_loads,0,4,1,0,0,1000,10|'
events() {
	printf '%s\n' "$@" >overflows
	OVERFLOWS=$PWD/overflows record recorded.er "p:off;h:$counters;a:off;" setarch -R ./program >out 2>&1
}

# are MEMOP NAME: the rows of the recorded events, read as those of a recorder of another kind, are of the file.
are() {
	sed -i "s/memop=\"[0-9]*\"/memop=\"$(($1))\"/" recorded.er/log.xml recorded.er/_x1.er/log.xml
	er_print -printmode '|' -data_metrics d+loads -data_objects recorded.er |
		tr -d '"' | awk -F'|' '$1 ~ /^[1-9]/ { print $1, $2 }' | grep -v '<Total>' | LC_ALL=C sort >rows
	LC_ALL=C sort expected >sorted
	check "$2" diff sorted rows
}

# The counts of the events are powers of two, so that sums show which events they are of.
data=7f0000001008
events "1 1 1000 $(address_of visit_load) $data" "2 1 3000 $(address_of plain_load) $data" \
	"3 1 7000 ffffffff81000000 $data" "4 1 15000 $(address_of visit_next) $data" \
	"5 1 31000 $(address_of visit_load) 5"
cat >expected <<END
1000 {structure:node}
1000 {structure:node}.{pointer+structure:node next}
6000 (Module with trigger PC not compiled with -xhwcprof)
8000 (Backtracking failed to find a valid branch target)
16000 (Memory-referencing instruction did not specify a valid VA)
30000 <Unknown>
END
are 0x203 "the instruction is known: it has no debug data, no access, or the event no address"

events "1 1 1000 $(address_of visit_next) $data" "2 1 3000 $(address_of turn_call) $data" \
	"3 1 7000 $(address_of turn_target) $data" "4 1 15000 $(address_of turn_end) $data" \
	"5 1 31000 $(address_of visit_load) $data"
cat >expected <<END
5000 {structure:node}
5000 {structure:node}.{pointer+structure:node next}
10000 (Backtracking was prevented by a jump or call instruction)
16000 (Backtracking did not find trigger PC)
26000 <Unknown>
END
are 0x403 "the next instruction is known: before it is the access, a call, a branch not taken, or nothing"

# The program was interrupted in a loop, to which there are two ways.
events "40 1 1000 $(address_of visit_load) $data" "41 1 3000 $(address_of visit_load) $data inexact"
cat >expected <<END
1000 (Backtracking failed to find a valid branch target)
2000 (Backtracking traversed a branch target)
3000 <Unknown>
END
for kind in 1 2 3; do
	are $kind "kind $kind: not the instruction, but where the program was interrupted is known"
done

# Recorders that look for the instruction themselves write a code in place of an address that is not known.
events "1 1 1000 $(address_of visit_load) $data"
cp recorded.er/_x1.er/hwcounters original
while read -r code reason; do
	python3 - "$code" original >recorded.er/_x1.er/hwcounters <<-END
		import struct, sys
		packets = open(sys.argv[2], "rb").read()
		address, code = struct.pack("<Q", 0x$data), struct.pack("<Q", int(sys.argv[1], 16))
		assert packets.count(address) == 1
		sys.stdout.buffer.write(packets.replace(address, code))
	END
	printf '%s\n' "1000 ($reason)" '1000 <Unknown>' >expected
	are 3 "code $code: $reason"
done <<END
0 UNKNOWN
1 Dataspace data not requested during data collection
2 Backtracking was prevented by a jump or call instruction
3 Backtracking did not find trigger PC
4 Could not determine VA because registers changed after trigger instruction
5 Memory-referencing instruction did not specify a valid VA
6 UNKNOWN
10 Module with trigger PC not compiled with -xhwcprof
20 Backtracking failed to find a valid branch target
30 Backtracking traversed a branch target
END

# Several counters in one run and one file: two with addresses, one of them again without, and one without. The
# last two overflows come with one signal.
counters="$counters"'stores,mem_stores,0,4,2,0,0,1000,10|loads,,0,4,3,0,0,1000,0|misses,,0,4,4,0,0,1000,0|'
scalar=$(address_of scalar)
events "1 1 1000 $(address_of visit_load) $data" "2 2 2000 $(address_of scalar_store) $scalar" \
	"3 3 4000 $(address_of visit_load) 0" "4 4 8000 $(address_of visit_load) 0" \
	"5 1 17000 $(address_of scalar_store) $scalar" "6 2 34000 $(address_of visit_load) dead000000000008" \
	"6 1 81000 $(address_of visit_load) ffff8000deadbee0"
er_print -printmode '|' -data_metrics d+loads:d+stores:name -data_objects recorded.er |
	tr -d '"' | awk -F'|' '$1 ~ /^[0-9]/ { print $1, $2, $3 }' | LC_ALL=C sort >rows
LC_ALL=C sort >sorted <<END
85000 34000 <Total>
68000 32000 <Unknown>
64000 32000 (Memory-referencing instruction did not specify a valid VA)
4000 0 (Dataspace data not requested during data collection)
16000 2000 <Scalars>
16000 2000 {long_int scalar}
1000 0 {structure:node}
1000 0 {structure:node}.{pointer+structure:node next}
END
check "several counters: each has the data of its own events" diff sorted rows
is "$(er_print -data_metrics d+misses recorded.er 2>&1)" "er_print: no data objects for metric 'd+misses'" \
	"a counter without addresses has no data objects"
is "$(er_print -data_metric_list recorded.er | sed -n 's/^ *Data-derived .* Events: //p')" "d+%loads
d+%stores" "nor is it a metric of them"

done_testing
