#!/bin/sh
# Programs that gdb starts while recording is enabled.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

cat >program.c <<-END
	#include <stdio.h>
	#include <stdlib.h>
	#include <unistd.h>
	#include <sys/wait.h>

	static int work(int n)
	{
		volatile double sink = n;
		for (int i = 0; i < 10000000; i++)
			sink = sink * 1.0001 + 0.5;
		return sink != 0;
	}
	int main(int count, char **words)
	{
		const char *preload = getenv("LD_PRELOAD"), *a = getenv("A");
		printf("%d words, LD_PRELOAD %s, A %s, argument %s\n", count, preload ? preload : "unset",
		       a ? a : "unset", count > 1 ? words[1] : "none");
		fflush(stdout);
		work(count);
		if (count > 1 && words[1][0] == 'f' && fork() == 0)
			_exit(work(3));
		if (count > 1 && words[1][0] == 'e')
			execl("/bin/echo", "echo", "executed", NULL);
		if (count > 1 && words[1][0] == 'x')
			execl("/nonexistent", "x", NULL);
		while (wait(NULL) > 0)
			;
		work(2);
		return 3;
	}
END
gcc -g -O1 -o program program.c
strip -o stripped program
gcc -O1 -static -o static program.c
gcc -O1 -static-pie -o static-pie program.c
gcc -g -O1 -no-pie -o fixed program.c
other=$(gcc -print-file-name=libm.so.6)

same() { # TEXT EXPECTED: of what is in the file out, without gdb's echo of commands
	is "$(grep -v '^> ' out)" "$2" "$1"
}
recorded() { # EXPERIMENT
	check "$1: ended" ended "$1"
	check "$1: has the function" sh -c "er_print -functions $1 | grep -q '[.0-9] *work$\|[.0-9] *main$\|<static>'"
	rm -rf "$1"
}

# What gdb says is what it says without us, but for one line.
set -- 'break work' 'run' 'info breakpoints' 'bt' 'delete' 'continue' 'info signals SIGPROF' 'info signals SIGTRAP' \
	'info signals SIGSEGV' 'show environment LD_PRELOAD' 'show args'
# Words on the stack begin higher with fewer variables.
without_stack() {
	sed -e 's/words=0x[0-9a-f]*/words=.../' -e '/^> collector/d'
}
debug '--args ./program one' "$@" | without_stack >alone
debug '--args ./program one' 'collector archive off' 'collector enable' "$@" | without_stack >out
is "$(grep -v "^Recording to 'test.1.er'.$" out | diff alone -; grep -c ^Recording out)" 1 'a run is as without us, but for one line'
recorded test.1.er

debug '--args ./program' 'collector archive off' 'collector enable' run 'set args two' run 'set environment A 5' run >out
same 'run again' "Recording to 'test.1.er'.
1 words, LD_PRELOAD unset, A unset, argument none
[Inferior 1 (process N) exited with code 03]
Recording to 'test.2.er'.
2 words, LD_PRELOAD unset, A unset, argument two
[Inferior 1 (process N) exited with code 03]
Recording to 'test.3.er'.
2 words, LD_PRELOAD unset, A 5, argument two
[Inferior 1 (process N) exited with code 03]"
for each in 1 2 3; do
	recorded test.$each.er
done

debug '--args ./program' 'collector enable' 'collector archive off' 'start' 'next' 'collector disable' 'run' >out
is "$(grep -c '^Recording' out) $(labels test.1.er | sed 's/ (.*//' | xargs) $(ls -d ./*.er)" \
	"1 collector_open_experiment stopped in main stopped in main collector_close_experiment ./test.1.er" \
	'start, and a run that is not recorded'
check 'disable ends the first one' ended test.1.er
rm -rf test.1.er

for program in stripped fixed; do
	debug "--args ./$program" 'collector archive off' 'collector enable' run >out
	check "$program: is recorded" grep -q "^Recording to 'test.1.er'" out
	recorded test.1.er
done
for program in static static-pie; do
	debug "--args ./$program" 'collector enable' run 'break _exit' run 'collector enable' >out
	is "$(grep -c "^warning: 'HERE/$program' is not recorded: it is statically linked$" out) $(grep -c '^1 words' out) $(find . -name '*.er')" \
		"2 2 " "$program: is refused, and runs"
	is "$(tail -n 1 out)" "cannot record 'HERE/$program': it is statically linked" "$program: live, too"
done

# What the user has set for the start.
wrapped() { # TEXT COMMAND EXPECTED
	debug '--args ./program' 'collector archive off' "$2" 'collector enable' run 'collector disable' 'show exec-wrapper' \
		'show environment LD_PRELOAD' >out
	same "$1" "Recording to 'test.1.er'.
1 words, $3, argument none
[Inferior 1 (process N) exited with code 03]
$4"
	recorded test.1.er
}
no_variable='Environment variable "LD_PRELOAD" not defined.'
wrapped 'an exec-wrapper that is env' "set exec-wrapper env A=6 LD_PRELOAD=$other" "LD_PRELOAD $other, A 6" \
	"The wrapper for running programs is \"env A=6 LD_PRELOAD=$other\".
$no_variable"
wrapped 'another exec-wrapper' 'set exec-wrapper nice -n 1' "LD_PRELOAD unset, A unset" \
	"The wrapper for running programs is \"nice -n 1\".
$no_variable"
wrapped 'LD_PRELOAD in the environment' "set environment LD_PRELOAD $other" "LD_PRELOAD $other, A unset" \
	"The wrapper for running programs is \"\".
LD_PRELOAD = $other"
debug '--args ./program' 'collector archive off' 'collector enable' "set environment LD_PRELOAD $other" run >out
check 'set afterwards' grep -q "LD_PRELOAD $other," out
recorded test.1.er
debug '--args ./program' 'collector archive off' 'set startup-with-shell off' "set environment LD_PRELOAD $other" \
	'collector enable' run 'collector disable' 'show environment LD_PRELOAD' >out
is "$(grep -c "LD_PRELOAD $other, A\|^LD_PRELOAD = $other$" out)" 2 'without a shell'
recorded test.1.er
SHELL=/nonexistent/csh debug '--args ./program' "set environment LD_PRELOAD $other" 'collector enable' \
	'show exec-wrapper' >out
check 'another kind of shell' grep -q "libcollector.so:$other SP_" out

# Ends.
debug '--args ./program' 'collector archive off' 'collector enable' 'break work' run >out
check 'gdb ends' ended test.1.er
rm -rf test.1.er
debug '--args ./program' 'collector archive off' 'collector enable' 'break work' run kill >out
check 'a kill' ended test.1.er
rm -rf test.1.er
debug '--args ./program' 'collector archive off' 'collector enable' 'break work' run run kill >out
check 'a run while the process lives' ended test.1.er
check 'which is recorded as well' ended test.2.er
rm -rf test.[12].er
debug '--args ./program exec' 'collector archive off' 'collector enable' run 'collector status' >out
is "$(labels test.1.er | tail -n 1)" suspend_for_exec 'an exec ends the recording'
check 'which is readable' sh -c "er_print -functions test.1.er | grep -q ' main$'"
is "$(grep -c '^Recording\|^executed' out) $(ls -d ./*.er)" '2 ./test.1.er' 'the new program is not recorded'
rm -rf test.1.er
debug '--args ./program x' 'collector archive off' 'collector enable' run >out
recorded test.1.er

# Children are not followed, and the recording is not theirs.
for mode in 'parent' 'child'; do
	debug '--args ./program fork' 'collector archive off' 'collector enable' "set follow-fork-mode $mode" \
		'set detach-on-fork on' 'catch fork' run 'tbreak work' continue 'collector status' 'delete' continue >out
	for _ in $(seq 100); do # the parent may have been let go of
		ended test.1.er && break
		sleep 0.1
	done
	is "$(echo ./*.er)" './test.1.er' "$mode is followed by gdb: one experiment"
	recorded test.1.er
done

# Events of the kernel come as SIGTRAP only where no debugger is.
debug '--args ./program' 'collector archive off' 'collector profile timer hi' 'collector hwprofile counter page-faults,1' \
	'collector enable' run >out
same 'no signal stops the program' "Recording to 'test.1.er'.
1 words, LD_PRELOAD unset, A unset, argument none
[Inferior 1 (process N) exited with code 03]"
recorded test.1.er

# The end of the recording archives, in a child of which gdb must not know.
gdb -nx -q -batch -iex "source $BUILD/lib/erkit/gdb/collector.py" -ex 'collector enable' -ex 'set follow-fork-mode child' \
	-ex run -ex 'info inferiors' --args ./program >out 2>&1
is "$(grep -c 'LWP\|Detaching\|Attaching\|executing' out) $(grep -c '^[* ] [0-9]' out)" '0 1' \
	'gdb does not notice the archive of the end'
check 'which is made' test -s test.1.er/archives/manifest
rm -rf test.1.er

# In the dynamic loader, which returns to nothing, before the program begins.
debug '--args ./program' 'collector archive off' 'set breakpoint pending on' 'break _dl_init' run delete 'collector enable' \
	continue >out
check 'a thread that is in the loader runs on to the beginning of the program' grep -q '^The thread was in the C library' out
check 'which behaves as alone' grep -q '^1 words, LD_PRELOAD unset' out
recorded test.1.er

# A setting that cannot be used when the program starts.
mkdir gone
debug '--args ./program' 'collector store directory gone' 'collector enable' 'shell rmdir gone' run >out
check 'a store that is gone' grep -q "^warning: collect: cannot record into 'gone': .*; the process is not recorded$" out
check 'the program runs' grep -q '^1 words' out
done_testing
