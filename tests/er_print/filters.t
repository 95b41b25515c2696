#!/bin/sh
# Filters, selections and index objects are those of gprofng.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/readers.sh
. "$TOP/tests/lib/readers.sh"

if ! command -v gp-display-text >/dev/null; then
	skip "there is no gp-display-text" "it shows the same"
	done_testing
fi
"$TESTDIR/make-experiments" shape.er second.er io.er io_second.er waits.er messages.er family.er || exit

for type in Threads CPUs Samples GCEvents Seconds Processes Experiment_IDs Datasize Duration; do
	for list in 'shape.er second.er' 'io.er io_second.er' waits.er family.er; do
		# shellcheck disable=SC2086
		same_output "$type of $list" "-$type" $list
	done
done
same_output "defined objects" -indxobj_define Half 'THRID==1 ? 0-1 : 1<<40' -indxobj Half -filters 'Half>5' \
	-indxobj Half shape.er
same_output "objects by name, and other metrics" -metrics i.user:e.system:name -sort name -CPUs -Threads shape.er

# The fate of the memory of each call.
cat >heap.c <<-END
	#include <stdlib.h>
	#include <sys/mman.h>

	__attribute__((noinline)) static void *one(int size) { return malloc(size); }
	__attribute__((noinline)) static void *other(int size) { return calloc(1, size); }
	int main(void)
	{
		void *volatile kept[10];

		for (int i = 0; i < 1000; i++) {
			void *block = one(100 + i % 7), *more = other(10 + i % 5);

			if (i % 100 == 0)
				kept[i / 100] = block;
			else
				free(block);
			more = realloc(more, 50 + i % 3);
			if (i % 2)
				free(more);
		}
		kept[0] = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		munmap(kept[0], 4096);
		return 0;
	}
END
gcc -g -O1 -fno-builtin -o heap heap.c
collect -p off -H on -A copy -o heap.er ./heap 2>/dev/null
"$TESTDIR/make-heap" lists.er more.er empty.er || exit
for word in HLEAKED HFREED HMEM_USAGE; do
	for made in heap.er lists.er; do
		same_output "$word of $made" -indxobj_define Word $word -indxobj Word -filters "$word>60" -indxobj Word $made
	done
done

# Those that gprofng counts as 0: what the process has, what it has leaked, and what a call changes.
last() { # WORD
	er_print -indxobj_define Word "$1" -metrics e.heapalloccnt:name -indxobj Word heap.er |
		sed -n 's/.* Word .*(\(-*[0-9]*\))$/\1/p' | sort -n | tail -n 1
}
most=$(last HMEM_USAGE)
is "$(last HCUR_ALLOCS)" "$most" "HCUR_ALLOCS is the memory of the process"
is "$(last HCUR_LEAKS)" "$(er_print -metrics e.heapleakbytes:name -functions heap.er | sed -n 's/ *<Total>//p')" \
	"HCUR_LEAKS ends with all leaks"
is "$(last HCUR_NET_ALLOC)" 8192 "the largest change is that of mmap"

# A call that was traced has no duration: gprofng counts allocations among those of some milliseconds.
is "$(er_print -metrics e.heapalloccnt:name -Duration heap.er | sed '1,/<Total>/d; /^ *0  /d; /^$/d' | tr -s ' ')" \
	"$(er_print -metrics e.heapalloccnt:name -functions heap.er | sed -n 's/ *<Total>//p' | tr -d ' ') 0s" \
	"allocations take no time"

# Threads that are not declared, with which gprofng crashes, or are narrow numbers.
cp -r shape.er nameless.er
sed -i '/name="THRID"/d' nameless.er/log.xml
cp -r shape.er narrow.er
sed -i 's/\(name="THRID".*type="\)INT64/\1INT32/' narrow.er/log.xml
functions=$(er_print -functions shape.er)
is "$(er_print -functions nameless.er)" "$functions" "no numbers of threads: all events are there"
is "$(er_print -metrics e.totalcpu:name -Threads nameless.er | grep -c 'Process')" 1 "and of one thread"
is "$(er_print -functions -Threads narrow.er)" "$(er_print -functions -Threads shape.er)" "narrow numbers of threads"

while read -r filter; do
	same_output "$filter" -filters "$filter" -functions -callers-callees -Threads shape.er second.er
	same_output "$filter, I/O" -filters "$filter" -ioactivity -iostat -Datasize io.er io_second.er
	same_output "$filter, waits" -filters "$filter" -functions -Duration waits.er
	same_output "$filter, heap" -filters "$filter" -functions -heapstat messages.er
done <<'END'
THRID==2
THRID==4243
LWPID==1 && CPUID==0
EXPID==2
PID == 4242
TSTAMP > 5000000 && TSTAMP <= 300000000
SAMPLE==1
MSTATE==1
LEAF IN FNAME("leaf_.*")
FNAME("burn") SOME IN USTACK
EVT_TIME > 1000000
IONBYTE > 20
HSIZE > 100
END

while read -r command list; do
	same_output "$command $list" "-$command" "$list" -functions -exp_list shape.er
done <<'END'
thread_select 2
thread_select 1,2
thread_select all
thread_select 1:1
sample_select 1
sample_select 7
cpu_select 1
cpu_select 0,1
lwp_select 1-2
END
done_testing
