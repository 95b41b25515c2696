#!/bin/sh
# shellcheck disable=SC2317 # await runs the functions
# collect -P: the CPU time that each thread of a process uses from then on is recorded, and no other.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"

cat >program.c <<'END'
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#define THREADS 4
static pthread_mutex_t stop = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int ids[THREADS];
static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}
/* Use a time of its own, and say at the end how much of it was used. */
static void *work(void *number)
{
	long own = (long)number;
	FILE *file;
	char name[16];

	ids[own - 1] = gettid();
	while (access("go", F_OK) < 0)
		for (volatile int i = 0; i < 100000; i++)
			;
	for (double end = used() + own * .4; used() < end;)
		for (volatile int i = 0; i < 10000; i++)
			;
	snprintf(name, sizeof(name), "end.%d", gettid());
	file = fopen(name, "w");
	fprintf(file, "%.6f\n", used());
	fclose(file);
	pthread_mutex_lock(&stop);
	pthread_mutex_unlock(&stop);
	return NULL;
}
/*
 * Answer a question for the time that each thread has used: the clock of a thread is right at any
 * moment, where the figures of /proc are those of the kernel's last tick.
 */
static void answer(const pthread_t *threads)
{
	struct timespec time;
	clockid_t clock;
	FILE *file = fopen("answer.part", "w");

	for (int i = 0; i < THREADS; i++) {
		pthread_getcpuclockid(threads[i], &clock);
		clock_gettime(clock, &time);
		fprintf(file, "%d %.6f\n", ids[i], time.tv_sec + time.tv_nsec / 1e9);
	}
	fclose(file);
	unlink("ask");
	rename("answer.part", "answer");
}
int main(void)
{
	pthread_t threads[THREADS];

	pthread_mutex_lock(&stop);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(i + 1));
	while (access("stop", F_OK) < 0) {
		if (access("ask", F_OK) == 0)
			answer(threads);
		usleep(20000);
	}
	pthread_mutex_unlock(&stop);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
cc -D_GNU_SOURCE -O1 -pthread -o program program.c

# used NAME: a file with a line for each thread that computes: its ID, and the seconds it has used
used() {
	touch ask
	await test -s answer
	mv answer "$1"
}
have_ended() {
	[ "$(cat end.* 2>/dev/null | wc -l)" -eq 4 ]
}

for period in on hi; do
	rm -rf go stop ask answer end.* test.er
	./program &
	process=$!
	sleep 0.3
	used before
	collect -A off -p $period -o test.er -P $process 2>log &
	collect=$!
	await grep -q recording log
	used after
	touch go
	await have_ended
	kill -TERM $collect
	wait $collect
	status=$?
	touch stop
	wait $process
	is "$status $?" "0 0" "-p $period: a process with four threads is recorded" || note "$(cat log)"
	er_print -metrics e.totalcpu:name -Threads test.er | sed -n 's/^ *\([0-9.]*\) .*Thread.*/\1/p' | sort -n >recorded
	# The recording begins between the times before and after. The last ticks may be missing: the
	# kernel looks at a timer of CPU time each 4 ms, and later where the machine has lent its processor.
	for end in end.*; do
		id=${end#end.}
		awk -v id="$id" -v end="$(cat "$end")" '$1 == id { time[++n] = $2 }
			END { print end - time[2], end - time[1] }' before after
	done | sort -n >bounds
	# shellcheck disable=SC2016 # of awk
	check "-p $period: the time of each is right: $(paste recorded bounds | tr '\t\n' ' ;')" \
		awk 'NR == FNR { least[NR] = $1 * .995 - .012; most[NR] = $2 * 1.005 + .012; n = NR; next }
			$1 >= .1 { if ($1 < least[++at] || $1 > most[at]) wrong = 1 }
			END { exit wrong || at != n }' bounds recorded
done
done_testing
