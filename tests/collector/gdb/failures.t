#!/bin/sh
# shellcheck disable=SC2016 # for gdb
# What cannot be recorded is not, and is as before: the library refuses, or a call into it is interrupted.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

# A library that is interrupted while it is loaded, as often as the first argument says, with the loader's lock held.
cat >slow.c <<-END
	#include <fcntl.h>
	#include <signal.h>
	#include <stdlib.h>
	#include <unistd.h>

	__attribute__((constructor)) static void begin(void)
	{
		close(open("inside", O_CREAT | O_WRONLY, 0666));
		while (access("waits", F_OK) < 0)
			usleep(1000);
		sleep(1);
		for (int i = atoi(getenv("TIMES")); i > 0; i--)
			raise(SIGINT);
	}
END
cat >program.c <<-END
	#include <dlfcn.h>
	#include <pthread.h>
	#include <stdio.h>
	#include <unistd.h>

	static volatile double sink;
	static void *load(void *unused)
	{
		return dlopen("./slow.so", RTLD_NOW);
	}
	static void work(void)
	{
		for (int i = 0; i < 1000000; i++)
			sink = sink * 1.0001 + i;
	}
	int main(int words_count, char **words)
	{
		pthread_t thread;
		void *loaded = words;
		if (words_count > 1)
			pthread_create(&thread, NULL, load, NULL);
		while (words_count > 1 && access("stop", F_OK) < 0)
			work();
		if (words_count > 1)
			pthread_join(thread, &loaded);
		puts(loaded ? "right" : "wrong");
		return 4;
	}
END
gcc -shared -fPIC -o slow.so slow.c
gcc -g -O1 -pthread -o program program.c -ldl

interrupted() { # TIMES COMMAND...
	rm -rf inside waits stop ./*.er
	TIMES=$1
	export TIMES
	./program x >said &
	pid=$!
	shift
	until [ -e inside ]; do sleep 0.01; done
	debug "-p $pid" 'collector archive off' 'set $before = $sp' 'shell touch waits' 'collector enable' "$@" \
		'print $sp == $before' 'info symbol $pc' 'collector enable' 'collector status' detach >out
	touch stop
	wait $pid
	is "$? $(cat said) $(grep -c '^\$1 = 1$\|in section .text\|^Recording to\|state  *recording' out)" '4 right 4' \
		"$TIMES interrupts: the thread is where it was, and can be recorded then" || note "$(cat out)"
	check 'the recording is ended' ended test.1.er
}
interrupted 1
is "$(grep -c "^cannot call 'dlopen': it was interrupted$" out)" 1 'the call has ended before the command'
interrupted 5 continue continue continue
is "$(grep -c "^the call of 'dlopen' has not ended: continue until gdb stops, and do not detach before$" out)" 1 \
	'or it ends later'

# A call would be executed step by step, and be played back later.
cat >stepped.c <<-END
	static volatile int n;
	int main(void)
	{
		while (n < 100)
			n++;
		return 5;
	}
END
gcc -g -O1 -o stepped stepped.c
rm -rf ./*.er
debug '--args stepped' 'collector archive off' 'collector enable' 'break main' run record 'stepi 5' 'stepi 5' 'reverse-stepi 3' \
	'collector status' 'collector sample record a' 'collector pause' 'collector disable' 'record stop' \
	'collector sample record b' continue >out
is "$(grep -c "^gdb itself records the process; use 'record stop' first$" out)" 4 "commands are refused while gdb's record is on" ||
	note "$(cat out)"
is "$(labels test.1.er | sed 's/ (.*//' | tr '\n' ' ')" \
	'collector_open_experiment stopped in main b collector_close_experiment ' 'and stops take no samples'
check 'it ends as the program does' grep -q 'exited with code 05' out

if [ "$(id -u)" != 0 ] || ! id nobody >/dev/null 2>&1; then
	skip 'needs root' 'experiments that a process cannot reach'
	done_testing
fi
chmod a+rx . ..
mkdir -m 700 hidden
rm -f stop inside
TIMES=0 setpriv --reuid nobody --clear-groups ./program x >said &
pid=$!
until grep -q program /proc/$pid/comm; do sleep 0.01; done
sleep 0.1
cd hidden || exit 1
debug "-p $pid" 'collector archive off' 'collector enable' 'collector status' detach | sed -n '/^> collector enable/,$p' >../out
is "$(sed 's/\[Inf.*//' ../out) $(ls)" "> collector enable
cannot record '$(cd .. && pwd)/program': the process cannot reach the experiment
> collector status
No experiment is being recorded.
> detach " 'a live process: the refusal is shown, and no experiment is left'
kill $pid
debug ../program 'set exec-wrapper setpriv --reuid nobody --clear-groups' 'collector archive off' 'collector enable' run >../out
is "$(sed -n '/^> run/,$p' ../out) $(ls)" "> run
Recording to 'test.1.er'.
warning: cannot record '$(cd .. && pwd)/program': the process cannot reach the experiment; the process is not recorded
right
[Inferior 1 (process N) exited with code 04] " 'a program that gdb starts: the same'
cd ..
wait
done_testing
