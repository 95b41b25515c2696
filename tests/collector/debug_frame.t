#!/bin/sh
# Code whose unwind data is for debuggers only has whole stacks.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

bare='-O2 -g -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-optimize-sibling-calls'

cat >work.c <<'EOC'
#include <time.h>
/* Frames of all sizes, and a saved register */
static volatile long sink;
__attribute__((noinline)) long innermost(long n)
{
	for (long i = 0; i < n; i++)
		sink += i * sink + 1;
	return sink;
}
__attribute__((noinline)) long saving(long n)
{
	volatile long room[64];
	room[n & 63] = innermost(n);
	return room[n & 63] + n;
}
__attribute__((noinline)) long recursing(long depth, long n)
{
	return depth > 0 ? recursing(depth - 1, n) + depth : saving(n) + depth;
}
void work(void)
{
	struct timespec t;
	do {
		recursing(5, 1000000); /* the call below is rare */
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec == 0 && t.tv_nsec < 400000000);
}
EOC
cat >whole.c <<'EOC'
void work(void);
int main(void) { work(); return 0; }
EOC
cat >opens.c <<'EOC'
#include <dlfcn.h>
int main(void)
{
	for (int i = 0; i < 20; i++) /* loaded and unloaded */
		dlclose(dlopen("./work.so", RTLD_NOW));
	void *library = dlopen("./work.so", RTLD_NOW);
	((void (*)(void))dlsym(library, "work"))();
	return 0;
}
EOC

# whole_stacks NAME PROGRAM
whole_stacks() {
	record recorded.er 'p:997;a:off;' "$2"
	is "$?" 0 "$1: it runs"
	er_print -functions recorded.er >functions.txt
	is "$(grep -c 'Stack-unwind-failed\|Truncated-stack' functions.txt)" 0 "$1: no stack is cut short" ||
		note "$(cat functions.txt)"
	awk '/<Total>/ { total = $3 } $NF ~ /^not_sampled/ { unsampled += $1 } $NF == "main" { reached = $3 }
		END { total -= unsampled; exit !(total > .3 && reached >= .98 * total) }' functions.txt
	ok $? "$1: all of them reach main" || note "$(cat functions.txt)"
	awk '/<Total>/ { total = $3 } $NF == "recursing" { reached = $3 }
		END { exit !(total > .3 && reached >= .9 * total) }' functions.txt
	ok $? "$1: through its callers" || note "$(cat functions.txt)"
	check "$1: the reader has no complaint" is_clean recorded.er
}

for form in '-pie -fPIE' '-no-pie -fno-pie' '-gdwarf-5 -gz=none' '-gdwarf-2'; do
	# shellcheck disable=SC2086
	${CC:-cc} $bare $form -o whole whole.c work.c || continue
	readelf -SW whole | grep -q '\.debug_frame' || {
		skip "the compiler cannot write it" "$form"
		continue
	}
	is "$(readelf -wf whole | sed '/debug_frame/,$d' | grep -c "FDE.*pc=0*$(nm whole |
		sed -n 's/^0*\(.*\) T recursing$/\1/p')")" 0 "$form: .eh_frame does not describe it"
	whole_stacks "$form" ./whole
done

# shellcheck disable=SC2086
${CC:-cc} $bare -shared -fPIC -o work.so work.c && ${CC:-cc} -O2 -o opens opens.c -ldl
whole_stacks "a library that is opened" ./opens

# A file that has changed since it was mapped, or is damaged, costs no more than frames.
cp whole damaged
offset=$(readelf -SW whole | sed -n 's/.*\.debug_frame *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
for at in 0 4 8 9 24 28 32; do
	cp whole damaged
	printf '\377\377\377\377' | dd of=damaged bs=1 seek=$((0x$offset + at)) conv=notrunc 2>/dev/null
	record recorded.er 'p:997;a:off;' ./damaged
	is $? 0 "damaged at $at: exit status"
	er_print -functions recorded.er | grep -q '<Total>'
	ok $? "damaged at $at: the program runs, and is recorded"
done

done_testing
