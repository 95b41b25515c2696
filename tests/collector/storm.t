#!/bin/sh
# No signal of the program is lost, however many come from the clock at the same time.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# storm SITUATION ROUNDS [SIGNAL]
storm() {
	is "$(record recorded.er "$parameters" "$programs/storm" "$@" 2>&1)" "lost 0" \
		"$1${3+, signal $3} (${parameters%%;*})"
}

# With the thread's timer.
parameters='p:5000;a:off;'
storm dependent 4000
storm sources 500
storm chain 2000
storm to_itself 2000
storm handed 300
storm waited 1000
storm waited 1
storm passed 1

# With the kernel's event, too, and with traced calls.
trace_everything 1000
storm dependent 4000
storm dependent 4000 5
storm sources 500
storm sources 500 5
storm chain 2000
storm to_itself 20000 5
storm handed 300
storm waited 1000
storm waited 1
storm passed 1

# By a counter of the kernel's work, whose signals come in system calls.
if collect -n -h task-clock true >/dev/null 2>&1; then
	parameters='p:5000;h:task-clock,task-clock,1,1,1,0,0,30000,0|;a:off;'
	storm to_itself 20000 28
else
	skip "the kernel permits no events" "to_itself, signal 28"
fi
done_testing
