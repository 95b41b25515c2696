#!/bin/sh
# The program's signals, and its view of the signals that the collector uses.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

situation() { # NAME SECONDS [SIGNAL]
	as_alone "$1" "$programs/${program:-signals}" "$1" ${3+"$3"}
	has_seconds "$2" "$1"
}

timer_situation() { # NAME SECONDS
	program=timers
	situation "$@"
	program=
}

timer_situation own_setitimer .25
timer_situation own_timer .25
situation raised .08
situation left_by_jump .03
situation default_action .03
situation ignored .08
situation reset_after_one 0
situation blocked .08
situation waits_over_exec .07
situation all_blocked .18
situation waited_for .03
situation read_as_file .03
situation own_read_as_file .17
situation views 0
situation fault .03
situation own_fault_handler .03
situation sent_fault .03
situation aborts .03
timer_situation sleeps .05
timer_situation alarmed 0
timer_situation alarms .1

# The same with the kernel's event, whose signals come between any two instructions.
usual=$parameters
parameters='p:100;a:off;'
timer_situation sleeps .05
timer_situation alarmed 0
timer_situation alarms .1
timer_situation own_setitimer .25
situation own_read_as_file .17

# The event sends SIGTRAP.
situation raised .08 5
situation default_action .03 5
situation ignored .08 5
situation reset_after_one 0 5
situation blocked .08 5
situation waits_over_exec .07 5
situation all_blocked .18 5
situation waited_for .03 5
situation traps 0

# SIGBUS is never really blocked either: a store into a file of the experiment may fail where all signals are.
situation raised .08 7
situation default_action .03 7
situation ignored .08 7
situation reset_after_one 0 7
situation blocked .08 7
situation waits_over_exec .07 7
situation all_blocked .18 7
situation waited_for .03 7
parameters=$usual

# The signal of counters that count the kernel's work. It may come in the middle of a call.
if collect -n -h task-clock true >/dev/null 2>&1; then
	parameters='p:1000;h:task-clock,task-clock,1,1,1,0,0,100000,0|;a:off;'
	for name in raised ignored blocked all_blocked; do
		situation $name .08 28
	done
	situation default_action .03 28
	situation reset_after_one 0 28
	situation waits_over_exec .07 28
	situation waited_for .03 28
	situation views 0
	timer_situation sleeps .05
	timer_situation alarmed 0
	timer_situation alarms .1
	parameters=$usual
else
	skip "the kernel permits no events" "signals of counters"
fi

# A function is found even where all signals are blocked, because SIGPROF never really is.
record recorded.er 'p:1000;a:off;' "$programs/signals" all_blocked >/dev/null
gp-display-text -metrics i.totalcpu:name -functions recorded.er >functions.txt 2>&1
awk '$2 == "burn" { good = $1 > .1 && $1 < .3 } END { exit !good }' functions.txt
ok $? "all_blocked: the time belongs to burn" || head -n 20 functions.txt | sed 's/^/# /'

# A debugger stops at signals that it does not expect.
if command -v gdb >/dev/null; then
	parameters='p:300;a:off;'
	as_alone "in a debugger" sh -c "gdb -nx -batch -ex run --args '$programs/exceptions' 20000 2>&1 |
		sed 's/process [0-9]*/process/'"
	has_seconds .05 "in a debugger"

	# Nor does it see the signals of counters, for which it has not asked.
	cat >rounds.c <<'END'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) unsigned long round_of(unsigned long x)
{
	for (int i = 0; i < 10000000; i++)
		x = x * 3 + i;
	return x;
}
int main(int argc, char **argv)
{
	unsigned long x = 1;

	for (int i = 0; i < atoi(argv[1]); i++)
		x = round_of(x);
	return printf("%lu\n", x) < 0 ? 1 : 3;
}
END
	cc -O1 -g -o rounds rounds.c
	events() {
		er_print -metrics e.task-clock -functions "$1" | awk '$2 == "<Total>" { print ($1 > 100000000) }'
	}
	if collect -n -h task-clock true >/dev/null 2>&1; then
		./rounds 60 >alone.out
		gdb -nx -batch -ex run --args collect -A off -h task-clock,1000000 -o counted.er ./rounds 60 \
			>out 2>&1
		check "counted in a debugger: it ends as when run alone" grep -q 'exited with code 03' out
		check "counted in a debugger: it prints the same as alone" grep -qx "$(cat alone.out)" out
		is "$(events counted.er)" 1 "counted in a debugger: it is counted"
	else
		skip "the kernel permits no counters" "counted in a debugger"
	fi
	# A debugger that attaches later and lets SIGTRAP pass finds its own breakpoints.
	for options in '-p hi' '-p off -h task-clock,1000000'; do
		collect -n -h task-clock true >/dev/null 2>&1 || continue
		# shellcheck disable=SC2086 # options
		collect -A off $options -o later.er ./rounds 200 >out 2>/dev/null &
		pid=$!
		while [ ! -s later.er/log.xml ]; do sleep .05; done
		sleep .2
		gdb -nx -batch -p $pid -ex 'handle SIGTRAP nostop noprint' -ex 'break round_of' -ex continue \
			-ex continue -ex finish -ex delete -ex detach >found 2>&1
		wait $pid
		is "$?" 3 "a debugger attached later, $options: the program ends as when run alone"
		is "$(grep -c '^Breakpoint 1, \|^Value returned' found)" 3 \
			"a debugger attached later, $options: it stops at its breakpoint"
		rm -rf later.er
	done
else
	skip "gdb is not installed" "in a debugger"
fi

done_testing
