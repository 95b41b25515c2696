#!/bin/sh
# A process is recorded from the middle of a handler of its own. What the kernel blocks until the handler returns is
# open afterwards, and the thread is recorded then.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"

cat >program.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int ticks;

static void tell(const char *file)
{
	close(open(file, O_CREAT | O_WRONLY, 0600));
}

static void on_tick(int signal)
{
	ticks++;
}

static void on_signal(int signal)
{
	tell("inside");
	while (access("go", F_OK) < 0)
		free(malloc(10));
}

static void show(const char *when)
{
	static const int signals[] = { SIGPROF, SIGWINCH, SIGTRAP, SIGBUS };
	sigset_t mask;

	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	printf("%s:", when);
	for (int i = 0; i < 4; i++)
		if (sigismember(&mask, signals[i]))
			printf(" SIG%s is blocked", sigabbrev_np(signals[i]));
	puts("");
}

static void __attribute__((noinline)) work(void)
{
	struct itimerval often = { { 0, 5000 }, { 0, 5000 } };
	clock_t end = clock() + CLOCKS_PER_SEC / 2;

	setitimer(ITIMER_PROF, &often, NULL);
	while (clock() < end)
		;
	setitimer(ITIMER_PROF, &(struct itimerval){ 0 }, NULL);
}

static void *run(void *kind)
{
	struct sigaction action = { .sa_handler = on_signal };

	if (strstr(kind, "all"))
		sigfillset(&action.sa_mask);
	else
		sigaddset(&action.sa_mask, SIGPROF);
	sigaction(SIGUSR1, &action, NULL);
	pthread_kill(pthread_self(), SIGUSR1);
	work();
	puts(ticks > 0 ? "ticks" : "no tick");
	show("recorded");
	tell("done");
	while (access("ended", F_OK) < 0)
		usleep(1000);
	show("afterwards");
	return NULL;
}

int main(int count, char **words)
{
	pthread_t thread;

	signal(SIGPROF, on_tick);
	if (strstr(words[1], "thread")) {
		pthread_create(&thread, NULL, run, words[1]);
		pthread_join(thread, NULL);
	} else {
		run(words[1]);
	}
}
END
cc -D_GNU_SOURCE -pthread -o program program.c

# begin SITUATION: the program is in its handler
begin() {
	rm -rf inside go 'done' ended log out test.er
	./program "$1" >out &
	process=$!
	await test -e inside
}
# judge SITUATION: its work was recorded, and nothing else has changed
judge() {
	is "$(cat out)" 'ticks
recorded:
afterwards:' "$1: its own signals come, and none is blocked"
	er_print -metrics i.totalcpu:name -functions test.er 2>/dev/null >functions
	check "$1: the work after the handler is recorded" grep -q ' work$' functions
}

for situation in caller caller-all thread; do
	begin $situation
	collect -A off -o test.er -P $process 2>log &
	collect=$!
	await grep -q recording log
	sleep .05
	touch go
	await test -e 'done'
	kill -TERM $collect
	wait $collect
	touch ended
	wait $process
	judge "collect: $situation"
done

if ! command -v gdb >/dev/null; then
	skip 'there is no gdb' 'the same by gdb'
	done_testing
fi
for situation in caller caller-all thread; do
	begin $situation
	timeout -k 5 60 gdb -nx -q -batch -iex "source $BUILD/lib/erkit/gdb/collector.py" -ex 'collector archive off' \
		-ex 'collector store experiment test.er' -ex 'collector enable' -ex 'shell touch go' \
		-ex 'detach' -p $process </dev/null >log 2>&1
	await test -e 'done'
	touch ended
	wait $process
	judge "gdb: $situation"
done
done_testing
