#!/bin/sh
# Blocks of the heap as data objects: which call stacks allocated what costs.
# shellcheck disable=SC2016 # awk has variables
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# costs COMMAND... EXPERIMENT: "EVENTS FUNCTION" of each call stack of allocations that has some; the function is the
# one that allocates, below wrappers of the collector.
costs() {
	er_print -printmode '|' "$@" | tr -d '"' |
		awk -F'|' '$1 ~ /^[0-9]+$/ && $4 > 0 { sub(/^(malloc|calloc|realloc|mmap)[^;]*;/, "", $5)
			split($5, frames, / [+] /); print $4, frames[1] }' | LC_ALL=C sort -k2
}

# stacks OBJECT EXPERIMENT: the same of a data object.
stacks() {
	er_print -data_single "$@" | awk '/^Allocation #/ { count = $NF; is_new = 1; next }
		is_new && $1 !~ /^(malloc|calloc|realloc|mmap)$/ { print count, $1; is_new = 0 }' | LC_ALL=C sort -k2
}

# ---- handwritten calls and events ----

for which in edges forks pauses; do
	"$TOP/tests/er_print/make-blocks" $which $which.er | LC_ALL=C sort -k2 >expected
	is "$(costs -allocs $which.er)" "$(cat expected)" "$which: each event is in its block, or in none"
	check "$which: there are some" test "$(wc -l <expected)" -ge 3
	is "$(stacks '<Total>' $which.er)" "$(cat expected)" "$which: so it is for data objects"
done
for seed in 1 2 3 4; do
	"$TOP/tests/er_print/make-blocks" random random.$seed.er $seed | LC_ALL=C sort -k2 >expected
	is "$(costs -allocs random.$seed.er)" "$(cat expected)" "random calls ($seed) are as by the plainest rules"
	check "there are some" test "$(wc -l <expected)" = 5
done
is "$(er_print -allocs random.1.er | sed -n 's/^Summary.*Total Data-derived loads Events = //p')" \
	"$("$TOP/tests/er_print/make-blocks" random other.er 1 | awk '{ sum += $1 } END { print sum }')" "their sum"

# A child alone has nothing from its parent; with a filter for its events, its parent's calls have no figures.
is "$(stacks '<Total>' forks.er/_f1.er)" '512 top_two' "a child whose parent is not there"
is "$(costs -filters 'EXPID == 2' -allocs forks.er)" "$(printf '%s\n' '16 leaf_a' '128 top_one' '512 top_two')" \
	"a filter keeps events, and the calls they need are known"
is "$(er_print -filters 'EXPID == 2' -allocs forks.er | grep -c '^Allocation #[0-9]*, Instances = 0, .* = \(16\|128\)$')" 2 \
	"calls that it drops do not count"
er_print -filters 'EXPID == 9' -data_single '<Total>' -allocs forks.er >out 2>&1
check "without events there are no costs" grep -q 'No allocation information' out

er_export -q forks.er -o forks.tar.zst 2>/dev/null
is "$(costs -allocs forks.tar.zst/forks.er)" "$(costs -allocs forks.er)" "a bundle says the same"

# Only what needs the calls of the heap reads them: it reports their damage.
cp -r edges.er damaged.er
printf 'nothing of the kind' >damaged.er/heaptrace
er_print -data_objects -data_layout damaged.er >out 2>error
is "$(cat error)" "" "data_objects reads no calls of the heap"
er_print -data_single '<Total>' damaged.er >out 2>error
check "data_single does" grep -q 'heaptrace: offset 0: ' error
is "$(tail -1 out)" "No allocation of its blocks is known" "and knows nothing then"

# ---- order and columns ----

er_print -data_sort loads -allocs random.1.er >out
check "the most costly first" awk '/^Allocation #/ { if (NR > 1 && last != "" && $NF > last) exit 1; last = $NF; count++ }
	END { exit count != 5 }' out
er_print -data_sort -loads -allocs random.1.er >out
check "or last" awk '/^Allocation #/ { if (last != "" && $NF < last) exit 1; last = $NF; count++ } END { exit count != 5 }' out
er_print -allocs random.1.er >out
check "at first, the most bytes are" awk '/^Allocation #/ { sub(/,$/, "", $8)
	if (last != "" && $8 + 0 > last + 0) exit 1; last = $8; count++ } END { exit count != 5 }' out
is "$(er_print -limit 2 -data_sort loads -allocs -data_single '<Total>' random.1.er | grep -c '^Allocation #')" 4 \
	"the limit counts"
is "$(er_print -data_sort loads -printmode html -allocs random.1.er |
	grep -c '<th class="data-derived-loads-events count sorted">Data-derived loads Events</th>')" 1 "html has the column"
is "$(er_print -leaks -heap random.1.er | grep -c 'Data-derived')" 0 "leaks and heap have not"

"$TOP/tests/er_print/make-blocks" names names.er >/dev/null
er_print -allocs -data_single '<Total>' names.er >out
is "$(grep -ca "$(printf '\033')" out)$(grep -c '^Allocation #1,.* Data-derived lo\\033\[2Jads Events = 1$' out)" 02 \
	"names of counters are escaped"

# ---- what was not recorded ----

"$TOP/tests/er_print/make-counters" counters.er
er_print -data_single '<Total>' counters.er >out
is "$(tail -1 out)" "Heap trace information was not requested when recording experiments" "no heap tracing"
"$TOP/tests/er_print/make-heap" lists.er more.er empty.er
er_print -allocs -data_sort loads -allocs lists.er >out 2>/dev/null
is "$(grep -c '^Allocation #1, Instances = 3, Bytes Allocated = [0-9]*$' out)$(grep -c Data-derived out)" 20 \
	"no counters with addresses"

# ---- a program ----

if [ "$(uname -m)" != x86_64 ]; then
	skip "data objects are found on x86-64 only" "a program"
	done_testing
fi

# Each first access to a page is one page fault. The first page of a block has been touched by malloc.
cat >lists.c <<-END
	#include <malloc.h>
	#include <pthread.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <sys/mman.h>
	#include <sys/wait.h>
	#include <unistd.h>

	#define NOINLINE __attribute__((noinline, noclone))
	struct node { struct node *next; long value; char room[4080]; };
	struct box { long id; char room[4088]; };

	/* The lists are of one type; the same function accesses them. */
	NOINLINE static void fill(struct node *nodes, int first, int end)
	{
		for (int i = first; i < end; i++)
			nodes[i].value = i;
	}
	NOINLINE static void number(struct box *boxes, int first, int end)
	{
		for (int i = first; i < end; i++)
			boxes[i].id = i;
	}
	NOINLINE static struct node *make_orders(int count) { return malloc(count * sizeof(struct node)); }
	NOINLINE static struct node *make_clients(int count) { return calloc(count, sizeof(struct node)); }
	NOINLINE static struct node *grow_clients(struct node *old, int count) { return realloc(old, count * sizeof(struct node)); }
	NOINLINE static struct node *make_first(void) { return malloc(64 * sizeof(struct node)); }
	NOINLINE static struct node *make_second(void) { return malloc(64 * sizeof(struct node)); }
	NOINLINE static struct node *make_in_thread(void) { return malloc(80 * sizeof(struct node)); }
	NOINLINE static struct node *make_in_child(void) { return malloc(64 * sizeof(struct node)); }
	NOINLINE static struct node *make_mapping(void)
	{
		return mmap(NULL, 60 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	NOINLINE static struct box *make_boxes(void) { return malloc(70 * sizeof(struct box)); }

	static void *run(void *orders)
	{
		struct node *own = make_in_thread();
		fill(orders, 101, 111);
		fill(own, 1, 32);
		return own;
	}

	int main(void)
	{
		struct node *orders, *clients, *first, *second, *own, *mapping;
		struct box *boxes;
		pthread_t thread;
		void *result;
		int is_same;

		mallopt(M_MMAP_THRESHOLD, 65536);
		orders = make_orders(200);
		clients = make_clients(50);
		boxes = make_boxes();
		fill(orders, 1, 101);
		fill(clients, 1, 41);
		number(boxes, 1, 26);
		clients = grow_clients(clients, 100);
		fill(clients, 1, 41); /* these pages are there */
		fill(clients, 50, 77);

		first = make_first();
		fill(first, 1, 13);
		free(first);
		second = make_second();
		is_same = first == second;
		fill(second, 1, 18);

		pthread_create(&thread, NULL, run, orders);
		pthread_join(thread, &result);
		own = result;
		fill(own, 32, 35);

		mapping = make_mapping();
		fill(mapping, 0, 19);
		munmap(mapping, 30 * 4096);
		fill(mapping, 30, 34);

		fflush(stdout);
		if (fork() == 0) {
			struct node *other;

			fill(orders, 150, 158);
			free(second);
			other = make_in_child();
			fill(other, 1, 8);
			printf("%d\n", is_same && other == second);
			fflush(stdout);
			_exit(0);
		}
		wait(NULL);
		fill(orders, 170, 175);
		return 0;
	}
END

cat >expected <<END
40 make_clients
27 grow_clients
12 make_first
17 make_second
34 make_in_thread
7 make_in_child
23 make_mapping
123 make_orders
END
LC_ALL=C sort -k2 -o expected expected
for level in -O0 -O2; do
	gcc -g $level -fno-optimize-sibling-calls -fno-ipa-icf -w -o lists lists.c -pthread
	rm -rf test.1.er
	collect -p off -H on -h +page-faults,1 -o test.1.er ./lists >out 2>/dev/null
	is "$(cat out)" 1 "$level: blocks are in the same place"
	is "$(stacks node test.1.er)" "$(cat expected)" "$level: the stacks that allocated the nodes, with their events"
	is "$(stacks node.value test.1.er)" "$(cat expected)" "$level: so it is for the member"
	is "$(stacks box.id test.1.er)" "25 make_boxes" "$level: and for the boxes"
	is "$(er_print -data_single node test.1.er | sed -n 's/^Allocation #1, Data-derived page-faults Events = //p')" 123 \
		"$level: the most costly first"
	is "$(er_print -data_single node test.1.er | sed -n 's/^Allocations of its blocks: //p')" \
		"Distinct Allocations = 8, Total Data-derived page-faults Events = 283" "$level: their sum"
	is "$(er_print -data_single node test.1.er | sed -n 's/^.*Events: \([0-9]*\) .*/\1/p')" 283 \
		"$level: all of its events are in blocks"
	# What malloc itself touches before it returns is in no block yet; the child's first write to the page of the
	# header is in its block.
	costs -allocs test.1.er >all
	check "$level: in allocs, other objects of the blocks count, too" \
		awk 'NR == FNR { wanted[$2] = $1; next } $2 in wanted { if ($1 < wanted[$2]) exit 1; count++ }
			END { exit count != 8 }' expected all
	is "$(awk '$2 == "make_boxes" { print $1 }' all)" 25 "$level: exactly those of the boxes"
done

rm -rf test.2.er
collect -p off -h +page-faults,1 -o test.2.er ./lists >/dev/null 2>&1
is "$(er_print -data_single node test.2.er | tail -1)" \
	"Heap trace information was not requested when recording experiments" "without heap tracing"
done_testing
