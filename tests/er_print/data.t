#!/bin/sh
# Data objects: page faults of a program that touches known objects of known structures.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP data objects are found on x86-64 only"
	exit 0
fi

# Each object has a page of its own, so that the first access to it is a page fault.
cat >touch.c <<-END
	#include <stddef.h>
	#include <stdio.h>
	#include <string.h>
	#include <sys/mman.h>
	#include <unistd.h>

	struct inner { short tag; int values[3]; };
	struct node {
		struct node *next;
		char kind;
		long value;
		unsigned low : 3, high : 7;
		struct inner inner;
		double line[3];
		char crossing[16], room[60];
	} __attribute__((aligned(4096)));
	union number { long whole; double real; } __attribute__((aligned(4096)));
	struct box { double low[2], high[2]; int id; } __attribute__((aligned(4096)));
	static struct box g_boxes[30] __attribute__((aligned(4096)));
	long g_counter __attribute__((aligned(4096)));
	int g_table[10 * 1024] __attribute__((aligned(4096)));

	/* Memory that nothing has touched. */
	static void *pages(size_t count)
	{
		return mmap(NULL, count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	__attribute__((noinline)) static struct node *push(struct node *head, struct node *new, long value)
	{
		new->value = value;
		new->next = head;
		return new;
	}
	__attribute__((noinline)) static void deep(struct node *node, int i)
	{
		node->inner.values[i % 3] = i;
	}
	__attribute__((noinline)) static void box(int i)
	{
		g_boxes[i].id = i;
	}
	__attribute__((noinline)) static void number(union number *number, int i)
	{
		number->whole = i;
	}
	__attribute__((noinline)) static void raw(volatile char *byte)
	{
		byte[7] = 1;
	}
	int main(void)
	{
		struct node *list = pages(100), *others = pages(40), *head = NULL;
		union number *numbers = pages(20);
		char *bytes = pages(50);
		long sum = 0;

		for (int i = 0; i < 100; i++)
			head = push(head, &list[i], i);
		for (int i = 0; i < 40; i++)
			deep(&others[i], i);
		for (int i = 0; i < 30; i++)
			box(i);
		for (int i = 0; i < 20; i++)
			number(&numbers[i], i);
		for (int i = 0; i < 50; i++)
			raw(bytes + i * 4096);
		for (int i = 0; i < 10; i++)
			g_table[i * 1024 + 5] = i;
		g_counter = g_table[getpid() % 7];
		for (struct node *node = head; node; node = node->next)
			sum += node->value;
		printf("%ld %ld %d\n", sum, g_counter, g_boxes[3].id);
		return 0;
	}
END

# objects EXPERIMENT: "count name" of every row
objects() {
	er_print -printmode '|' -data_metrics d+page-faults -data_objects "$1" |
		tr -d '"' | awk -F'|' '$1 ~ /^[0-9]+$/ { print $1, $2 }'
}

# has COUNT NAME: the row has that many faults
has() {
	is "$(awk -v name="$2" '{ count = $1; sub(/^[0-9]+ /, ""); if ($0 == name) print count }' rows)" "$1" "$level: $2"
}

for level in -O0 -O1 -O2; do
	gcc -g $level -o touch touch.c
	rm -rf test.1.er
	collect -p off -h +page-faults,1 -o test.1.er ./touch >/dev/null 2>&1
	objects test.1.er >rows
	has 140 '{structure:node}'
	has 100 '{structure:node}.{long_int value}'
	has 40 '{structure:node}.{structure:inner inner}'
	has 40 '{structure:node}.{structure:inner inner}.{array+int values}'
	has 30 '{structure:box}'
	has 20 '{union:number}'
	has 20 '{union:number}.{long_int whole}'
	has 1 '{long_int g_counter}'
	has 10 '{array+int g_table}'
	has 10 '{array+int g_table}.{int -}'
	has 50 '{volatile+char -}'
	# Every event counts once at the top, and once in everything that it is in.
	# shellcheck disable=SC2016
	check "$level: rows add up" awk '
		{ count = $1; sub(/^[0-9]+ /, ""); name = $0 }
		name == "<Total>" { total = count; next }
		name == "<Scalars>" { scalars = count; top += count; next }
		name == "<Unknown>" { unknown = count; top += count; next }
		name ~ /^\(/ { reasons += count; next }
		name !~ /[}][.][{]/ && (name ~ /^[{](structure|union|class):/ || name ~ /^[{]([a-z]+[+])*array[+]/) { top += count; next }
		name !~ /[}][.][{]/ { single += count }
		END {
			print total, top, scalars, single, unknown, reasons
			exit !(total == top && scalars == single && unknown == reasons)
		}' rows
done

# ---- one object, and the same from an archive ----

er_print -data_single node.value test.1.er >single
is "$(grep -c 'Data-derived page-faults Events: 100 ' single)" 1 "the short form names an object"
is "$(sed -n 's/^ *	* *\(Container\|Offset (bytes)\|Size (bytes)\): //p' single | tr '\n' ' ')" \
	'{structure:node} 16 8 ' "its place"
is "$(er_print -data_single '{structure:node}.{long_int value}' test.1.er)" "$(cat single)" "so does the long form"
er_print -data_single nothing test.1.er >out 2>error
is "$?$(cat error)" "1er_print: no data object 'nothing' with recorded metrics" "others are refused"
is "$(er_print -filters 'DOBJ IN (DNAME(".*inner.*"))' -data_objects test.1.er | awk '/<Total>/ { print $1 }')" 40 \
	"objects are filtered by their descriptors"
is "$(er_print -filters 'DOBJ IN (DNAME(".*node.*value."))' -functions test.1.er |
	awk '$1 > 0 && $3 ~ /push|main|box/ { print $1, $3 }')" "100 push" "and so are functions"
is "$(er_print -filters 'LEAF IN (FNAME("push"))' -data_objects test.1.er | grep -c '{structure:inner')" 0 "filters count"
er_print -memobj Vpage_4K test.1.er >pages
# shellcheck disable=SC2016
check "pages add up" awk '/<Total>/ { total = $1 } /Vpage_4K 0x/ { sum += $1; pages++ } /<Unknown>/ { sum += $1 }
	END { print total, sum, pages; exit !(total == sum && pages > 200) }' pages
er_archive -a copy test.1.er
mv touch moved
objects test.1.er >again
check "copies in the archive tell the same" cmp rows again
mv moved touch

# ---- the layout ----

# By hand: node is 4096 bytes, its members end at 160.
er_print -data_layout test.1.er | sed -n '/{structure:node}$/,/(Padding.*3[0-9]*/p' |
	sed -n 's/^ *[0-9]* *[0-9.]* *\([#/|\\?<] .*\)$/\1/p' | sed 's/  */ /g' | sed '/{structure:[^n]*}$/,$d' >layout
cat >expected <<-END
	# 0 4096 {structure:node}
	/ 0 8 {pointer+structure:node next}
	| 8 1 {char kind}
	| 9 7 (Padding in structure)
	| 16 8 {long_int value}
	| 24 1 {unsigned_int low}
	| 24 2 {unsigned_int high}
	| 26 2 (Padding in structure)
	| 28 16 {structure:inner inner}
	| 28 2 {short_int tag}
	| 30 2 (Padding in structure)
	| 32 12 {array+int values}
	| 44 4 (Padding in structure)
	? 48 24 {array+double line}
	| 72 16 {array+char crossing}
	? 88 60 {array+char room}
	# 148 3948 (Padding in structure)
END
check "members, bits, gaps and marks" diff expected layout

# ---- what is not known ----

strip -o stripped touch
rm -rf test.2.er
collect -p off -h +page-faults,1 -o test.2.er ./stripped >/dev/null 2>&1
objects test.2.er >rows
level=stripped
check "without debug data, objects are unknown for that reason" \
	grep -qE '^[12][0-9]+ \(Module with trigger PC not compiled with -xhwcprof\)$' rows
is "$(er_print -data_single '(Unascertainable)' test.2.er | head -1)" \
	'(Module with trigger PC not compiled with -xhwcprof)' "reasons have short words"
rm -rf test.3.er
collect -p on -o test.3.er ./touch >/dev/null 2>&1
er_print -data_objects test.3.er >out 2>error
is "$?$(cat error)" "1er_print: no counter was recorded with data addresses: collect -h +NAME does" \
	"a recording without addresses"
done_testing
