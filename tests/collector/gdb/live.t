#!/bin/sh
# shellcheck disable=SC2016,SC2317 # for gdb; check runs the functions
# Recordings of processes that run already, stopped anywhere.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

cat >program.c <<-END
	#include <dlfcn.h>
	#include <pthread.h>
	#include <signal.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <time.h>
	#include <unistd.h>

	static volatile long count, sink;
	static void *allocate(void *unused)
	{
		for (;;) {
			void *a = malloc(100), *b = malloc(5000 + count % 1000);
			free(a);
			free(b);
			count++;
		}
	}
	static void *print(void *unused)
	{
		FILE *file = fopen("/dev/null", "w");
		for (;;)
			count += fprintf(file, "%ld %s %f\n", count, "text", 0.5);
	}
	static void *load(void *unused)
	{
		for (;; count++)
			dlclose(dlopen("libm.so.6", RTLD_NOW));
	}
	static void *nothing(void *unused)
	{
		return NULL;
	}
	static void *create(void *unused)
	{
		for (;; count++) {
			pthread_t thread;
			if (pthread_create(&thread, NULL, nothing, NULL) == 0)
				pthread_join(thread, NULL);
		}
	}
	static void *compute(void *unused)
	{
		for (;;)
			for (long i = 0; i < 100000; i++)
				sink += i * sink;
	}
	static void *read_line(void *unused)
	{
		char text[100];
		printf("read %s\n", fgets(text, sizeof(text), stdin) ? "a line" : "nothing");
		return NULL;
	}
	static void *sleep_a_while(void *unused)
	{
		struct timespec begin, end, time = { 2, 0 };
		clock_gettime(CLOCK_MONOTONIC, &begin);
		int rc = nanosleep(&time, NULL);
		clock_gettime(CLOCK_MONOTONIC, &end);
		end.tv_sec -= begin.tv_sec + (end.tv_nsec < begin.tv_nsec);
		printf("slept %s, %ld seconds\n", rc ? "not enough" : "enough", (long)end.tv_sec);
		return NULL;
	}
	static const struct { const char *name; void *(*function)(void *); } works[] = {
		{ "allocate", allocate }, { "print", print }, { "load", load }, { "create", create },
		{ "compute", compute }, { "read", read_line }, { "sleep", sleep_a_while },
	};
	int main(int words_count, char **words)
	{
		for (int thread = atoi(words[2]); thread >= 0; thread--)
			for (int i = 0; i < 7; i++)
				if (strcmp(works[i].name, words[1]) == 0) {
					pthread_t id;
					if (thread > 0)
						pthread_create(&id, NULL, works[i].function, NULL);
					else
						works[i].function(NULL);
				}
		return 4;
	}
END
gcc -g -O1 -pthread -o program program.c -ldl
ROUNDS=${ROUNDS:-2}

# attach COMMAND...: to the process $pid.
attach() {
	debug "-p $pid" 'collector archive off' "$@"
}

rounds() { # WORK THREADS FUNCTION
	./program "$1" "$2" >said &
	pid=$!
	for round in $(seq "$ROUNDS"); do
		sleep 0.1
		attach 'collector enable' detach >out
		sleep 0.3
		# Not even a sample is taken there, and the recording does not end.
		attach 'collector status' 'collector sample record second' 'collector disable' 'collector status' detach >>out
		if ! grep -q "^Recording to 'test.$round.er'.$" out || ! ended "test.$round.er" ||
			! labels "test.$round.er" | grep -q '^second$' || ! kill -0 $pid ||
			! er_print -functions "test.$round.er" | grep -q " $3\$"; then
			cat out
			er_print -functions "test.$round.er"
			break
		fi
	done
	kill $pid
	wait $pid
	is "$? $(find . -name 'test.*.er' | wc -l)" "143 $ROUNDS" "$1, $2 more threads: attached and ended $ROUNDS times"
	rm -rf ./*.er
}
rounds compute 0 compute
rounds allocate 0 allocate
rounds allocate 4 allocate
rounds print 2 print
rounds load 1 load
rounds create 1 create

# Calls in which the process sleeps are continued.
mkfifo fifo
./program read 0 <fifo >said &
pid=$!
exec 3>fifo
sleep 0.3
attach 'collector enable' 'bt 1' 'collector pause' 'collector resume' detach >out
is "$(grep -c '^Recording\|^#0 .*read' out) $(grep -c 'has run on' out)" '2 0' 'a process asleep in read stays there'
echo line >&3
exec 3>&-
wait $pid
is "$? $(cat said)" '4 read a line' 'and reads'
check 'its recording ends with it' ended test.1.er
is "$(labels test.1.er)" 'collector_open_experiment
collector_pause(debugger)
collector_resume
collector_close_experiment' 'and has the samples of the pause'
rm -rf test.1.er
./program sleep 0 >said &
pid=$!
sleep 0.3
attach 'collector enable' detach >out
wait $pid
is "$? $(cat said)" '4 slept enough, 2 seconds' 'a process asleep in nanosleep sleeps as long'
check 'the recording ends with it' ended test.1.er
rm -rf test.1.er

# A signal of the clock that was taken in the call would end the sleep.
cat >mask.py <<-END
	import gdb
	from erkit_collector import process
	call = process.call
	def blocked():
	    with open("/proc/%d/status" % gdb.selected_inferior().pid) as status:
	        mask = [int(line.split()[1], 16) for line in status if line.startswith("SigBlk:")]
	    return bool(mask[0] & 1 << 26)
	def show(function, *arguments, **options):
	    result = call(function, *arguments, **options)
	    if function in ("__collector_start", "__collector_release", "__collector_terminate_expt"):
	        gdb.write("%s: SIGPROF %s\n" % (function, "waits" if blocked() else "is open"))
	    return result
	process.call = show
END
./program sleep 0 >said &
pid=$!
sleep 0.3
attach 'source mask.py' 'collector enable' 'collector disable' detach >out
wait $pid
is "$(grep '^__collector' out)" '__collector_start: SIGPROF waits
__collector_release: SIGPROF is open
__collector_terminate_expt: SIGPROF waits
__collector_release: SIGPROF is open' 'the signals of the clock wait until it sleeps again'
rm -rf test.1.er

# A pause is also one of the periodic samples.
./program compute 0 >said &
pid=$!
sleep 0.1
attach 'collector sample period 1' 'collector enable' 'collector pause' detach >out
sleep 2.2
attach 'collector resume' detach >>out
sleep 2.2
attach 'collector disable' detach >>out
is "$(labels test.1.er | uniq)" 'collector_open_experiment
collector_pause(debugger)
collector_resume
periodic
collector_close_experiment' 'no periodic samples are taken in a pause'
kill $pid
wait $pid
rm -rf test.1.er

# What the user has set is as before.
./program compute 1 >said &
pid=$!
sleep 0.1
set -- 'break malloc' 'watch count' 'tbreak write' 'break print if count > 5' 'condition 4' 'disable 3' 'info breakpoints' \
	'show unwindonsignal' 'show scheduler-locking' 'show stop-on-solib-events' 'show language' 'info display'
attach "$@" detach >alone
attach "$@" 'collector enable' 'collector sample record a' 'info breakpoints' 'show unwindonsignal' \
	'show scheduler-locking' 'show stop-on-solib-events' 'show language' 'info display' detach >out
sed -n '/^> info breakpoints/,$p' alone | grep -v '^\[\|^> coll' >expected
awk '/^> collector sample/ { shown = 1 } shown' out | grep -v '^\[\|^> coll' >found
check 'breakpoints and settings are as before' diff expected found
attach 'collector status' 'set $before = $sp' 'collector sample record b' 'print $sp == $before' 'info symbol $pc' detach >out
is "$(grep -c '^\$1 = 1$\|in section .text' out)" 2 'so are the registers'
attach 'collector store experiment again.er' 'collector disable' 'collector store experiment again.er' \
	'collector heaptrace on' 'collector iotrace on' 'collector enable' 'collector status' detach >out
is "$(grep -c "^Recording to 'again.er'.$\|^warning: collector store experiment: an" out)" 2 'another one, with more libraries'
check 'they are loaded' grep -q libcollector-io.so /proc/$pid/maps
check 'a third debugger sees the state' eval "attach 'collector enable' detach | grep -q '^warning: collector enable: an experiment is being recorded; ignored$'"
kill $pid
wait $pid

# A process in another namespace of processes has another id for itself.
if unshare -Upf --kill-child true 2>/dev/null; then
	unshare -Urpf --kill-child ./program compute 0 >said &
	sleep 0.3
	pid=$(pgrep -P $!)
	attach 'collector store experiment inside.er' 'collector enable' 'collector status' 'collector disable' detach >out
	is "$(grep -c "^Recording to 'inside.er'.$\|state  *recording" out)" 2 'a process of another namespace'
	check 'is ended' ended inside.er
	kill -KILL "$pid" # the first process of a namespace ignores others
	wait
else
	skip 'there are no namespaces here' 'a process of another namespace'
fi
done_testing
