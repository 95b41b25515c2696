#!/bin/sh
# Samples that wait because they come faster than they can be processed: not more than a limit, and those that are
# skipped are counted.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"
hold=$BUILD/tests/er_kernel/programs/hold

cat >high.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;

/* A stack of this height is copied with each sample. */
static __attribute__((noinline)) void burn(long seconds)
{
	char room[60000];
	time_t end = time(NULL) + seconds;

	memset(room, 1, sizeof(room));
	do
		for (int i = 0; i < 1000000; i++)
			sink += (unsigned long)i;
	while (time(NULL) < end);
	sink += (unsigned long)room[sink % sizeof(room)];
}

int main(int argc, char *argv[])
{
	long seconds = argc > 1 ? atol(argv[1]) : 1;

	if (fork() == 0) {
		burn(seconds);
		_exit(0);
	}
	burn(seconds);
	while (wait(NULL) > 0)
		;
	return 0;
}
END
cc -O1 -o high high.c || done_testing

er_kernel -A off -p 100u -q 0 -o k.er ./high 10 2>err &
recorder=$!
for _ in $(seq 300); do
	! ls k.er/_high_* >/dev/null 2>&1 || break
	sleep 0.1
done
"$hold" $recorder 6 2>held
ok $? 'the thread that processes samples is held up'
sed 's/^/# /' held
most=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' /proc/$recorder/status)
wait $recorder
is "$?" 0 'the recording ends well'
sed 's/^/# /' err
skipped=$(sed -n 's/.*warning: \([0-9]*\) samples were skipped.*/\1/p' err)
check 'skipped samples are counted' [ "${skipped:-0}" -gt 0 ]
er_print -header k.er >header 2>&1
check 'in the log, too' grep -q "$skipped samples were skipped" header
note "$skipped skipped; er_kernel had $most KB at most"
# Two batches of 64 MB, of the thread that takes samples and of the one that is held up, which grow by doubling and
# copying; and the rings. Without a limit, it would be 60 KB for each that was skipped.
check 'what waits is limited' [ "${most:-0}" -gt 64000 -a "${most:-999999999}" -lt 700000 ]
is "$(find k.er -maxdepth 1 -name '_high_PID_*' | wc -l)" 2 'both processes have experiments'
check 'and can be read' er_print -functions k.er
done_testing
