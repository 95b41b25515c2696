#!/bin/sh
# Counters of the kernel on all processors: each event is counted once, in the kernel or in a process. Other processes
# have page faults as well: who has the one that ends an interval is chance.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

cat >touch.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static __attribute__((noinline)) void touch_pages(char *memory, long count)
{
	for (long i = 0; i < count; i++)
		memory[i * 4096] = 1;
}

static __attribute__((noinline)) long read_pages(int fd, char *memory, long count)
{
	return pread(fd, memory, (size_t)count * 4096, 0) / 4096;
}

int main(void)
{
	long count = 20000;
	int zero = memfd_create("pages", 0);
	char *one = mmap(NULL, count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *other = mmap(NULL, count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct rusage usage;

	madvise(one, count * 4096, MADV_NOHUGEPAGE);
	madvise(other, count * 4096, MADV_NOHUGEPAGE);
	if (ftruncate(zero, count * 4096) < 0)
		return 1;
	touch_pages(one, count);
	if (read_pages(zero, other, count) != count)
		return 1;
	getrusage(RUSAGE_SELF, &usage);
	printf("%d %ld\n", getpid(), usage.ru_minflt);
	return 0;
}
END
cc -O1 -D_GNU_SOURCE -o touch touch.c
without_loss faults.er er_kernel -q 0 -h page-faults,50 -o faults.er ./touch >out
ok $? 'nothing is lost'
read -r process faults <out
# counted METRICS NAME EXPERIMENT
counted() {
	er_print -limit 100000 -metrics "$1.page-faults:name" -functions "$3" 2>/dev/null | awk -v name="$2" '$NF == name { print $1 }'
}
user=$(counted e '<Total>' "faults.er/_touch_PID_$process.1.er")
kernel=$(counted i "touch_PID_$process" faults.er)
note "$faults page faults by the program's own count: $user in the program, $kernel in the kernel"
# shellcheck disable=SC2317 # check calls it
near() {
	awk -v a="${1:-0}" -v b="$2" 'BEGIN { exit !(a > b * .85 && a < b * 1.15) }'
}
check 'all of them are counted' near $((${user:-0} + ${kernel:-0})) "$faults"
check 'those of the program where they happen' near \
	"$(counted e touch_pages "faults.er/_touch_PID_$process.1.er")" 20000
check 'and those that the kernel causes itself under the process' near "$kernel" 20000
check 'the stack in the program leads to main' near "$(counted i main "faults.er/_touch_PID_$process.1.er")" 20000
is "$(er_print -limit 100000 -metrics i.totalcpu:i.kcpu:name -functions faults.er 2>/dev/null | awk '/<Total>/ { print $1, $2 }')" '0. 0.' \
	'there is no clock'
if command -v gp-display-text >/dev/null; then
	gp-display-text -limit 100000 -metrics e.page-faults:name -functions faults.er 2>/dev/null |
		awk '$NF == "<Total>" { print $1 }' >theirs
	is "$(cat theirs)" "$(counted e '<Total>' faults.er)" 'gprofng shows the same total'
else
	skip 'gprofng is not installed' 'gprofng shows the same total'
fi

# By names of libpfm4, which stand for events of one mode, too
# of EXPERIMENT: all events in it
of() {
	er_print -limit 100000 -functions "$1" 2>/dev/null | awk '$NF == "<Total>" { print $(NF - 2) }'
}
if er_kernel -n -t 1 -h PAGE-FAULTS,50 >/dev/null 2>&1; then
	er_kernel -A off -q 0 -h PAGE-FAULTS,50 -F =touch -o modes.er ./touch >/dev/null 2>&1
	check 'a counter of the processor counts in the kernel' [ $(($(of modes.er) - $(of modes.er/_touch_*))) -gt 15000 ]
	check 'and outside of it' [ "$(of modes.er/_touch_*)" -gt 15000 ]
	er_kernel -A off -q 0 -h PAGE-FAULTS~user=1,50 -F =touch -o user.er ./touch >/dev/null 2>&1
	is $(($(of user.er) - $(of user.er/_touch_*))) 0 'unless it is for user mode alone'
	check 'where it counts' [ "$(of user.er/_touch_*)" -gt 15000 ]
else
	skip 'libpfm4 is not installed' 'a counter of the processor counts in the kernel'
fi

er_kernel -q 0 -p on -h context-switches,1 -h page-faults -F off -o both.er ./touch >/dev/null 2>err
check 'several counters beside the clock' er_print -metrics e.kcpu:e.context-switches:e.page-faults:name -functions both.er
is "$(grep -v recording err | grep -v ended)" '' 'without a word'
done_testing
