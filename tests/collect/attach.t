#!/bin/sh
# collect -P: processes that run already are recorded, again and again, and do what they do alone. What cannot be
# recorded is refused, with a sentence and without a trace.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"
PATH=$BUILD/tests/collect/programs:$PATH

# await_program PROCESS PROGRAM: wait until it executes it
await_program() {
	await grep -q "^$2" "/proc/$1/comm"
}

# attach PROCESS LOG OPTIONS...: record for a moment
attach() {
	target=$1
	log=$2
	shift 2
	collect "$@" -P "$target" 2>"$log" &
	collect=$!
	until grep -q recording "$log" 2>/dev/null; do
		kill -0 $collect 2>/dev/null || break
		sleep 0.01
	done
	sleep 0.05
	kill -TERM $collect 2>/dev/null # it may have ended with the process
	wait $collect
}

# ---- a whole recording ----

attached main-malloc >out &
process=$!
await_program $process attached
attach "$process" log -p hi
is "$? $(cat log)" "0 collect: recording to 'test.1.er' (process $process)" "a process is recorded until collect is told to end"
attach "$process" log -v -p hi
is "$? $(sed 's/[0-9][0-9.]* ms/N ms/' log | tail -n 2)" "0 collect: recording to 'test.2.er' (process $process)
collect: process $process was stopped for N ms" "and once more, into the next experiment; -v says how long it was stopped"
collect -p hi -o third.er -O log -P "$process" &
collect=$!
await [ -e third.er/log.xml ]
sleep 0.3
collect -P "$process" 2>message
is "$? $(cat message) $(ls)" "1 collect: cannot record process $process: it is recorded already log
message
out
test.1.er
test.2.er
third.er" "a process that is recorded is refused"
touch stop
wait $collect
status=$?
wait "$process"
is "$status $? $(cat out)" "0 0 right" "collect ends with the process, which has done all"
er_print -functions third.er >functions
check "its functions are there" grep -q ' step_malloc$' functions
is "$(er_print -header third.er | sed -n 's/^ *[Pp]rocess[^0-9]*\([0-9]*\).*/\1/p' | head -n 1)" "$process" \
	"and its process"
rm -rf ./*

attached nanosleep 1500 >out &
process=$!
await_program $process attached
collect -t 0.2 -P $process 2>log
is "$? $(test -s out; echo $?) $(er_print -overview test.1.er >overview; echo $?)" "0 1 0" "-t: a recording ends before the process"
wait $process
is "$? $(cat out)" "0 right" "which does not notice"
rm -rf ./*

cat >program.c <<'END'
#define _GNU_SOURCE
#include <unistd.h>
static char *const none[] = { NULL };
int main(int argc, char **argv)
{
	argv[1] = NULL;
	argv[2] = (char *)8;
	environ = (char **)none;
	while (access("stop", F_OK) < 0)
		usleep(10000);
	return 0;
}
END
cc -o program program.c
./program one two &
process=$!
await_program $process program
attach "$process" log
touch stop
wait $process
is "$? $(er_print -header test.1.er | grep '^Target command')" "0 Target command (64-bit): './program one two'" \
	"a program that has changed its arguments, and has an environment that cannot be written"
rm -rf ./*

cat >program.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}
/* Use a tenth of a second after the end of the main thread, and say so. */
static void *go_on(void *unused)
{
	double end = 0;

	while (access("stop", F_OK) < 0) {
		for (volatile int i = 0; i < 10000; i++)
			;
		if (end == 0 && access("left", F_OK) == 0)
			end = used() + .1;
		if (end > 0 && used() > end)
			close(open("worked", O_CREAT, 0600));
	}
	exit(0);
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, go_on, NULL);
	while (access("leave", F_OK) < 0)
		usleep(10000);
	pthread_exit(NULL);
}
END
cc -pthread -o program program.c
for end in interrupted -t; do
	rm -f leave left log worked stop
	./program &
	process=$!
	await_program $process program
	limit=
	[ $end = interrupted ] || limit=2
	collect -p hi ${limit:+-t "$limit"} -P "$process" 2>log &
	collect=$!
	await grep -q recording log
	touch leave
	await grep -q "^State:.Z" "/proc/$process/status"
	touch left
	await [ -e worked ]
	[ $end = -t ] || kill -TERM $collect
	wait $collect
	is "$? $(tail -n +2 log) $(kill -0 $process; echo $?)" "0  0" "$end: the end, after that of the main thread"
	touch stop
	wait $process
	is "$? $(er_print -functions test.?.er 2>&1 | grep -o ' go_on$')" "0  go_on" "the other thread was recorded"
	rm -rf ./*.er
done
rm -rf ./*

cat >program.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>
static void live_on(int number)
{
	while (access("stop", F_OK) < 0)
		free(malloc(100));
	_exit(0);
}
int main(void)
{
	struct itimerval soon = { .it_value = { 0, 100000 } };

	signal(SIGALRM, live_on);
	setitimer(ITIMER_REAL, &soon, NULL);
	select(0, NULL, NULL, NULL, NULL);
	return 1;
}
END
cc -o program program.c
./program &
process=$!
await_program $process program
sleep 0.2
attach "$process" log -p hi
touch stop
wait $process
is "$? $(er_print -functions test.1.er | grep -o ' live_on$')" "0  live_on" "a program that lives in a signal handler" ||
	note "$(cat log)"
rm -rf ./*

mkdir -p installed/bin installed/lib
cp "$BUILD/bin/collect" installed/bin
ln -s "$BUILD/lib/erkit" installed/lib/erkit
sleep 600 &
process=$!
await_program $process sleep
for i in 1 2; do
	(PATH=$PWD/installed/bin:$PATH && attach $process log -A off -o linked.$i.er)
	cat log
done | sed "s/$process/N/" >said
is "$(cat said)" "collect: recording to 'linked.1.er' (process N)
collect: recording to 'linked.2.er' (process N)" "libraries whose directory is a link"
kill $process
rm -rf ./*

sh -c "trap '' SEGV; exec sleep 600" &
process=$!
await_program $process sleep
ignored=$(grep SigIgn /proc/$process/status)
attach "$process" log && attach "$process" log
is "$(grep SigIgn /proc/$process/status)" "$ignored" "a program that ignores SIGSEGV ignores it afterwards" || note "$(cat log)"
kill $process
rm -rf ./*

cat >program.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	while (access("stop", F_OK) < 0)
		for (int i = 0; i < 10000; i++)
			free(malloc(100));
	return 0;
}
END
cc -o program program.c
./program &
process=$!
await_program $process program
await grep -q '^SigBlk:.*ff' /proc/$process/status
blocked=$(grep SigBlk /proc/$process/status)
for i in 1 2 3 4; do
	attach "$process" log -p hi
	grep SigBlk /proc/$process/status
done | uniq >later
is "$(cat later)" "$blocked" "a program that blocks all signals blocks them afterwards"
touch stop
wait $process
check "and was sampled" [ "$(er_print -functions test.1.er | grep -c ' main$')" = 1 ] || note "$(cat log)"
rm -rf ./*

# ---- programs go on ----

for loop in malloc main-malloc stdio dlopen threads many masked; do
	mkdir $loop
	(
		cd $loop || exit 1
		attached $loop >out &
		process=$!
		await_program $process attached
		[ $loop = many ] || sleep 0.1 # its threads are begun during the first attach
		count=0
		for i in 1 2 3; do
			attach "$process" log.$i -p on -A off -o $i.er && count=$((count + 1))
			cat "/proc/$process/timers" >>timers
		done
		touch stop
		wait "$process"
		echo "$count $? $(cat out)$(cat timers)" >result
		cat log.* >logs
	)
	is "$(cat $loop/result)" "3 0 right" "$loop: attached three times, no timer is left" || note "$(cat $loop/logs)"
done
rm -rf ./*

# Records of threads from the first recording have no room for what the second needs.
attached malloc >out &
process=$!
await_program $process attached
attach "$process" log -A off -o clock.er
attach "$process" log -A off -H on -s all -i on -o traced.er
touch stop
wait "$process"
is "$? $(cat out) $(er_print -overview traced.er >overview 2>&1; echo $?) $(ls traced.er/heaptrace)" "0 right 0 traced.er/heaptrace" \
	"a recording of another kind of data follows"
rm -rf ./*

# The first recording was made by collect, and ended by the program itself.
cat >ended.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
	void (*end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__collector_terminate_expt");

	end();
	puts("ended");
	fflush(stdout);
	while (access("stop", F_OK) < 0)
		for (int i = 0; i < 100000; i++)
			free(malloc(100));
	puts("right");
}
END
cc -O0 -o ended ended.c
collect -A off -H on -s on -o first.er ./ended >out 2>/dev/null &
process=$!
await grep -q ended out
attach "$process" log -A off -p hi -H on -s on -i on -o second.er && attach "$process" log -A off -o third.er
status=$?
touch stop
wait "$process"
is "$status $? $(tail -n 1 out) $(er_print -functions second.er | grep -q ' malloc$'; echo $?)" "0 0 right 0" \
	"a process that has ended its recording is recorded again"
rm -rf ./*

# The parent is recorded, and the child is not.
cat >forked.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	pid_t child = fork();
	int status = -1;

	if (child > 0) {
		printf("%d\n", child);
		fflush(stdout);
		waitpid(child, &status, 0);
		printf("%x\n", status);
		return 0;
	}
	while (access("stop", F_OK) < 0)
		for (int i = 0; i < 100000; i++)
			free(malloc(100));
	_exit(7);
}
END
cc -O0 -o forked forked.c
for follow in off =nothing; do
	collect -F $follow -A off -p on -H on -o first.er ./forked >out 2>/dev/null &
	process=$!
	await grep -q . out
	child=$(head -n 1 out)
	attach "$child" log -A off -p hi -H on -o second.er && attach "$child" log -A off -H on -o third.er
	status=$?
	touch stop
	wait "$process"
	is "$status $? $(tail -n 1 out) $(er_print -functions third.er | grep -q ' malloc$'; echo $?)" "0 0 700 0" \
		"a child that -F $follow leaves out is recorded twice" || note "$(cat log)"
	rm -rf ./*.er stop out log
done
rm -rf ./*

waits='nanosleep clock_nanosleep poll select read getc epoll_wait epoll_timeout waitpid pause condition semaphore sigwaitinfo
sigtimedwait semop'
for wait in $waits; do
	mkdir "$wait"
	(
		cd "$wait" || exit 1
		attached "$wait" 6000 >out &
		process=$!
		result="not recorded"
		for i in 1 2 3; do
			sleep 0.8
			if attach "$process" log.$i -p hi -A off -o $i.er; then
				result=recorded
			elif ! grep -qE 'No such process|has ended' log.$i; then
				result="not recorded the $i. time"
				break
			fi
		done
		wait "$process"
		echo "$result $? $(cat out)" >result
		cat log.* >logs
	) &
done
wait
for wait in $waits; do
	is "$(cat "$wait/result")" "recorded 0 right" "$wait: waits on after each of three times" || note "$(cat "$wait/logs")"
done
rm -rf ./*

# ---- interrupts ----

cat >slow.c <<'END'
#include <unistd.h>
static void __attribute__((constructor)) wait_for_ever(void)
{
	sleep(600);
}
END
cat >program.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *load(void *name)
{
	return dlopen(name, RTLD_NOW);
}
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, load, "./slow.so");
	while (access("stop", F_OK) < 0)
		usleep(10000);
	puts("right");
	fflush(stdout);
	_exit(0);
}
END
cc -shared -fPIC -o slow.so slow.c
cc -pthread -o program program.c
./program >out &
busy=$!
await grep -q slow.so /proc/$busy/maps
collect -P $busy 2>log &
collect=$!
await grep -q waits log
kill -TERM $collect
wait $collect
is "$? $(cat log) $(ls -d ./*.er 2>/dev/null)" "1 collect: warning: thread $busy waits for another one that opens a library
collect: cannot record process $busy: interrupted " "a process whose loader is busy for ever is left when collect is interrupted"
touch stop
wait $busy
is "$? $(cat out)" "0 right" "and goes on"
rm -f stop out log

rm -rf ./*

# ---- refusals ----

sleep 600 &
process=$!
refuses() { # TEXT SENTENCE OPTIONS...
	text=$1
	sentence=$2
	shift 2
	collect "$@" 2>message
	is "$? $(cat message)" "1 collect: cannot record process $sentence" "$text"
	rm -f message
	is "$(ls -d ./*.er ./*.erg 2>/dev/null)" "" "nothing was made"
}

kill -STOP $process
await grep -q '^State:.*T' /proc/$process/status
refuses "a stopped process" "$process: it is stopped: send it the signal CONT first" -P $process
kill -CONT $process

# A shell would reap it.
python3 -c 'import os, time
child = os.fork() or os._exit(0)
print(child, flush=True)
time.sleep(600)' >zombie &
parent=$!
await [ -s zombie ]
ended=$(cat zombie)
await grep -q '^State:.*Z' "/proc/$ended/status"
refuses "a zombie" "$ended: it has ended" -P "$ended"
kill $parent
wait $parent
rm zombie
await [ ! -e "/proc/$ended" ]
refuses "no process" "$ended: No such process" -P "$ended"

timeout -s KILL 60 sh -c 'exec collect -P $$' 2>message
is "$? $(sed 's/[0-9]\{1,\}/PID/' message)" \
	"1 collect: cannot record process PID: it is collect itself" "collect itself"
rm message

strace -o /dev/null -p $process 2>/dev/null &
tracer=$!
await grep -q "^TracerPid:.*[1-9]" /proc/$process/status
refuses "a process in a debugger" "$process: process $tracer debugs it" -P $process
kill $tracer
wait $tracer

python3 -c '
import ctypes, struct, time
libc = ctypes.CDLL(None)
code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7fff0000)) # allow all
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 1, ctypes.addressof(code)))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program) == 0
open("ready", "w").close()
time.sleep(600)' &
sandbox=$!
await [ -e ready ]
refuses "a sandbox" "$sandbox: it runs in a sandbox (seccomp) that may forbid what a recording needs" -P $sandbox
kill $sandbox

cat >program.c <<'END'
#include <unistd.h>
int main(void) { sleep(600); return 0; }
END
cc -static -o static program.c
./static &
static=$!
await_program $static static
refuses "a static program" "$static: it is statically linked, or uses another C library than glibc" -P $static
kill $static

cat >child.c <<'END'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	if (vfork() == 0) {
		FILE *file = fopen("child", "w");

		fprintf(file, "%d\n", getpid());
		fclose(file);
		sleep(600);
		_exit(0);
	}
	return 0;
}
END
cc -o child child.c
mkdir -p forking
(cd forking && exec ../child) &
await [ -s forking/child ]
child=$(cat forking/child)
refuses "a child that runs in the memory of its parent" \
	"$child: it shares its memory with its parent, until it executes a program" -P "$child"
kill "$child"

python3 -c '
import os, struct
code = bytes.fromhex("b81d000000cd80ebf7") # pause(), for ever
header = b"\x7fELF\1\1\1" + bytes(9)
header += struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0x8048054, 52, 0, 0, 52, 32, 1, 0, 0, 0)
header += struct.pack("<IIIIIIII", 1, 0, 0x8048000, 0x8048000, 84 + len(code), 84 + len(code), 5, 0x1000)
open("narrow", "wb").write(header + code)
os.chmod("narrow", 0o755)'
./narrow 2>/dev/null &
narrow=$!
if await_program $narrow narrow; then
	refuses "a 32-bit program" "$narrow: it is a 32-bit program" -P $narrow
	kill $narrow
else
	skip "the kernel runs none" "a 32-bit program"
fi

collect -O /dev/null -o from_start.er sleep 600 &
recorded=$!
await [ -s from_start.er/log.xml ]
collect -P $recorded 2>message
is "$? $(cat message)" "1 collect: cannot record process $recorded: it is recorded already" \
	"a process that collect started"
kill $recorded
wait $recorded
rm -rf from_start.er

for words in "-P x" "-P 0" "-P $process true" "-x -P $process" "-P $process -P $process" "-P $process --libraries"; do
	# shellcheck disable=SC2086 # options
	collect $words 2>message
	echo "$words: $? $(cat message)"
done | sed "s/$process/N/g" >said
is "$(cat said)" "-P x: 2 collect: -P: invalid process 'x'
-P 0: 2 collect: -P: invalid process '0'
-P N true: 2 collect: unexpected program 'true'
-x -P N: 2 collect: -x requires a program
-P N -P N: 2 collect: option '-P' is given twice
-P N --libraries: 2 collect: only one of -P, --prepare and --libraries can be given" "usage"
is "$(collect -n -P $process | tail -n 1 | tr -d ' ')" "process$process" "-n looks at the process, and does nothing"

if [ "$(id -u)" != 0 ] || ! id nobody >/dev/null 2>&1; then
	skip "needs root" "other users and roots"
	kill $process
	done_testing
fi
chmod 777 .
setpriv --reuid nobody --clear-groups "$BUILD/bin/collect" -P $process 2>message
is "$? $(cat message)" "1 collect: cannot record process $process: Operation not permitted" "a process of another user"
setpriv --reuid nobody --clear-groups sleep 600 &
other=$!
await_program $other sleep
chmod a+x ..
attach $other log -o other.er
is "$? $(stat -c %U other.er other.er/log.xml | xargs)" "0 nobody nobody" "root records for the user of the process" || note "$(cat log)"
is "$(stat -c %U other.er/archive.log other.er/archives/* | sort -u)" "nobody" "and archives with his rights"
rm -rf other.er log
kill $other
setpriv --groups "$(seq -s , 10000 13000)" sleep 600 &
other=$!
await_program $other sleep
attach $other log -o other.er
is "$? $(er_print -overview other.er >overview; echo $?)" "0 0" "a process with many groups" || note "$(cat log)"
rm -rf other.er log
kill $other
mkdir -p root
python3 -c 'import os, time
os.chroot("root")
open("ready", "w").close()
time.sleep(600)' &
rooted=$!
await [ -e root/ready ]
refuses "another root directory" "$rooted: in its root directory there is no '$(realpath "$(command -v collect)" | sed 's,/bin/collect$,,')/lib/erkit/libcollector.so'" \
	-P $rooted
kill $rooted "$process"
done_testing
