#!/bin/sh
# Threads that wait for a processor, as on a busy machine: what gdb passes on to one of them arrives later.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

# Eight threads and a process of their own share a processor, of which the process gets nearly all.
cat >busy.c <<-END
	#define _GNU_SOURCE
	#include <fcntl.h>
	#include <pthread.h>
	#include <sched.h>
	#include <signal.h>
	#include <stdio.h>
	#include <sys/prctl.h>
	#include <sys/resource.h>
	#include <unistd.h>
	static volatile int is_over;
	static void stay(void)
	{
		cpu_set_t first;
		sched_getaffinity(0, sizeof(first), &first);
		for (int i = 0, found = 0; i < CPU_SETSIZE; i++) {
			if (found)
				CPU_CLR(i, &first);
			found |= CPU_ISSET(i, &first) != 0;
		}
		sched_setaffinity(0, sizeof(first), &first);
	}
	static void *compute(void *argument)
	{
		stay();
		setpriority(PRIO_PROCESS, gettid(), 19);
		while (!is_over)
			;
		return argument;
	}
	int main(void)
	{
		pthread_t threads[8];
		pid_t other = fork();
		if (other == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			stay();
			for (;;)
				;
		}
		for (int i = 0; i < 8; i++)
			pthread_create(&threads[i], NULL, compute, NULL);
		close(open("ready", O_CREAT, 0600));
		while (access("stop", F_OK) < 0)
			usleep(10000);
		is_over = 1;
		kill(other, SIGKILL);
		for (int i = 0; i < 8; i++)
			pthread_join(threads[i], NULL);
		puts("right");
		return 0;
	}
END
cc -O1 -g -pthread -o busy busy.c || exit 1

./busy >out &
process=$!
await [ -e ready ]
set --
while [ $# -lt 64 ]; do
	set -- "$@" -ex 'collector enable' -ex 'collector disable'
done
timeout -k 5 100 gdb -nx -q -batch -p $process -ex "source $BUILD/lib/erkit/gdb/collector.py" \
	-ex 'collector archive off' -ex 'collector profile timer lo' "$@" >said 2>&1 </dev/null
is "$? $(grep -c '^Recording to' said)" '0 16' 'gdb records them sixteen times'
for experiment in *.er; do
	check "$experiment is complete" ended "$experiment"
done
touch stop
wait $process
is "$? $(cat out)" '0 right' 'no signal of ours comes after the end'
done_testing
