#!/bin/sh
# The program's signals, and its view of those that the collector uses.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

situation() { # NAME SECONDS [SIGNAL]
	as_alone "$1" "$programs/signals" "$1" ${3+"$3"}
	has_seconds "$2" "$1"
}

situation own_setitimer .25
situation own_timer .25
situation raised .08
situation default_action .03
situation ignored .08
situation reset_after_one 0
situation blocked .08
situation all_blocked .18
situation waited_for .03
situation read_as_file .03
situation views 0
situation fault .03
situation own_fault_handler .03
situation sent_fault .03
situation aborts .03
situation sleeps .05
situation alarmed 0
situation alarms .1

# The same with the kernel's event, whose signals come between any two instructions.
usual=$parameters
parameters='p:100;a:off;'
situation sleeps .05
situation alarmed 0
situation alarms .1
situation own_setitimer .25

# It is sent as SIGTRAP.
situation raised .08 5
situation default_action .03 5
situation ignored .08 5
situation reset_after_one 0 5
situation blocked .08 5
situation all_blocked .18 5
situation waited_for .03 5
situation traps 0

# Never really blocked either: a file of ours may fail where all signals are.
situation raised .08 7
situation default_action .03 7
situation ignored .08 7
situation reset_after_one 0 7
situation blocked .08 7
situation all_blocked .18 7
situation waited_for .03 7
parameters=$usual

# A function is known even where all signals are blocked: SIGPROF never really is.
record recorded.er 'p:1000;a:off;' "$programs/signals" all_blocked >/dev/null
gp-display-text -functions recorded.er >functions.txt 2>&1
check "all_blocked: the time is burn's" grep -Eq '^ *0\.[12][0-9]+ .* burn$' functions.txt

# A debugger stops at signals that it does not expect.
if command -v gdb >/dev/null; then
	parameters='p:300;a:off;'
	as_alone "in a debugger" sh -c "gdb -nx -batch -ex run --args '$programs/exceptions' 20000 2>&1 |
		sed 's/process [0-9]*/process/'"
	has_seconds .05 "in a debugger"
else
	skip "there is no gdb" "in a debugger"
fi

done_testing
