#!/bin/sh
# What happens while collect -P holds a thread of the process: here the call that opens the library waits for another
# thread, in which the constructor of a library waits for the test.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"

cat >slow.c <<'END'
#include <unistd.h>
static void __attribute__((constructor)) wait_for_test(void)
{
	while (access("loaded", F_OK) < 0)
		usleep(10000);
}
END
cat >program.c <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int calls;

static void await(const char *file)
{
	while (access(file, F_OK) < 0)
		usleep(10000);
}

static void *load(void *name)
{
	return dlopen(name, RTLD_NOW);
}

static void *set_user(void *name)
{
	await("now");
	if (setuid(getuid()) == 0)
		close(open("changed", O_CREAT | O_WRONLY, 0600));
	return name;
}

static void on_signal(int signal)
{
	calls++;
}

/* Whether a signal without SA_RESTART ends the wait */
static void wait_for_signal(void)
{
	struct epoll_event event;
	int rc = epoll_wait(epoll_create1(0), &event, 1, 30000);

	printf("%s, %d calls\n", rc < 0 ? strerrorname_np(errno) : "slept", calls);
}

static void on_alarm(int signal)
{
	struct timespec time = { .tv_nsec = 100000000 };

	nanosleep(&time, NULL);
	if (calls++ == 0)
		close(open("called", O_CREAT | O_WRONLY, 0600));
}

/* A handler sleeps longer than the wait for a thread that is asked to stop. */
static void allocate(void)
{
	struct itimerval often = { { 0, 150000 }, { 0, 150000 } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (access("stop", F_OK) < 0)
		free(malloc(1000));
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	puts(calls > 0 ? "right" : "no call");
}

int main(int count, char **words)
{
	struct sigaction action = { .sa_handler = on_signal };
	pthread_t threads[2];
	sigset_t signals;

	if (strcmp(words[1], "handler") == 0) {
		allocate();
		return 0;
	}
	/* Signals are for the main thread. */
	sigfillset(&signals);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	pthread_create(&threads[0], NULL, load, "./slow.so");
	pthread_create(&threads[1], NULL, set_user, NULL);
	sigaction(SIGUSR1, &action, NULL);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	if (strcmp(words[1], "epoll") == 0)
		wait_for_signal();
	else
		await("stop");
	puts("right");
	fflush(stdout);
	_exit(0);
}
END
cc -shared -fPIC -o slow.so slow.c
cc -D_GNU_SOURCE -pthread -o program program.c

# hold SITUATION: collect waits in a call of the program
hold() {
	rm -rf loaded stop now changed out log ./*.er
	./program "$1" >out &
	process=$!
	await grep -q slow.so /proc/$process/maps
	env --default-signal=QUIT collect -A off -P $process 2>log &
	collect=$!
	await grep -q waits log
}
# finish: the call returns, and the recording is ended once it has begun
finish() {
	touch loaded
	await grep -q recording log
	kill -TERM $collect 2>/dev/null
	wait $collect
	collected=$?
	touch stop
	wait $process
	ended=$?
}

hold epoll
kill -USR1 $process
sleep 0.1
finish
is "$collected $ended $(cat out)" "0 0 EINTR, 1 calls
right" "a signal that comes meanwhile ends a wait, as it does alone"

hold stop
kill -STOP $process
await grep -q '^State:.*T' /proc/$process/task/*/status
kill -CONT $process
touch loaded
await grep -q recording log
sleep 0.1
is "$(grep -l '^State:.*T' /proc/$process/task/*/status)" "" "a process that was stopped meanwhile, and told to go on, does"
kill -CONT $process
finish
is "$collected $ended $(cat out)" "0 0 right" "and ends as alone"

hold stop
touch now
await [ -e changed ]
ok $? "another thread may change the user meanwhile"
finish
is "$collected $ended $(cat out)" "0 0 right" "and all ends as alone"

hold stop
kill -QUIT $collect
wait $collect
is "$? $(tail -n 1 log)" "1 collect: cannot record process $process: interrupted" "collect may be told to quit"
touch loaded stop
wait $process
is "$? $(cat out)" "0 right" "which the process survives"

hold stop
kill -KILL $collect
wait $collect
touch loaded
await [ -s test.1.er/log.xml ]
collect -P $process 2>log
is "$? $(tail -n 1 log)" "1 collect: cannot record process $process: it is recorded already" \
	"collect may be killed meanwhile: the recording begins and goes on"
touch stop
wait $process
is "$? $(cat out)" "0 right" "the process ends as alone"
is "$(er_print -header test.1.er 2>&1 | grep -c "^Process pid $process")" 1 "and its recording can be read"

hold stop
touch loaded
await grep -q recording log
kill -STOP $process
kill -TERM $collect
await grep -q "is stopped" log
is "$(tail -n 1 log)" "collect: process $process is stopped: its recording ends when it goes on" "the end waits for a process that is stopped"
kill -CONT $process
wait $collect
is $? 0 "and comes when it goes on"
collect -P $process -A off 2>traced &
collect=$!
await grep -q recording traced
strace -o /dev/null -p $process 2>/dev/null &
tracer=$!
await grep -q "^TracerPid:.*$tracer" /proc/$process/status
kill -TERM $collect
await grep -q debugs traced
kill $tracer
wait $tracer
wait $collect
is "$? $(tail -n 1 traced)" "0 collect: process $tracer debugs process $process: its recording ends when that lets it go" \
	"and for a debugger"
rm -rf test.2.er
collect -P $process -A off 2>>log &
collect=$!
await grep -q "recording to 'test.2.er'" log
kill -STOP $process
kill -TERM $collect
await awk '/is stopped/ && ++count == 2 { is_found = 1 } END { exit !is_found }' log
sleep .2 # what comes at once is the same one
kill -TERM $collect
wait $collect
is "$? $(tail -n 1 log)" "1 collect: cannot end the recording of process $process: interrupted: it goes on" "or another interrupt ends the waiting"
kill -CONT $process
touch stop
wait $process
is "$? $(cat out)" "0 right" "the process ends as alone"

rm -rf stop ./*.er
./program handler >out &
process=$!
await [ -e called ]
for _ in 1 2 3; do
	rm -rf log ./*.er
	env --default-signal=QUIT collect -A off -P $process 2>log &
	collect=$!
	await grep -q recording log
	kill -TERM $collect
	wait $collect
	printf '%d ' $?
done >status
touch stop
wait $process
is "$? $(cat out) $(cat status)" "0 right 0 0 0 " "a handler that sleeps does not keep collect for ever"

# A filter is in force for a thread.
cat >filtered.py <<'END'
import ctypes, struct, threading, time
libc = ctypes.CDLL(None)
def filter():
    code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7fff0000)) # allow all
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 1, ctypes.addressof(code)))
    assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0
    open("ready", "w").close()
    time.sleep(600)
threading.Thread(target=filter, daemon=True).start()
time.sleep(600)
END
rm -rf ./*.er
python3 filtered.py &
process=$!
await [ -e ready ]
collect -P $process 2>log
is "$? $(cat log)" "1 collect: cannot record process $process: it runs in a sandbox (seccomp) that may forbid what a recording needs" \
	"a filter of another thread is seen"
kill $process
done_testing
