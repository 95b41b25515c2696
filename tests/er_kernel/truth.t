#!/bin/sh
# The time of a process, by its own clock, and the shares of functions of the kernel, by perf in the same run.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

ln -s "$BUILD/tests/er_kernel/programs/calls" calls

without_loss time.er er_kernel -p hi -q 0 -o time.er ./calls 3 >out
ok $? 'nothing is lost'
tail -n 1 out >last
read -r process time <last
recorded=$(er_print -limit 100000 -metrics i.totalcpu:i.kcpu:name -functions time.er 2>/dev/null | awk -v name="calls_PID_$process" '
	$NF == "<Total>" { sum += $1 }
	$NF == name { sum += $2 }
	END { print sum }')
note "recorded: $recorded of $time seconds of CPU time"
check 'the time of a process is that of its clock' \
	awk -v a="$recorded" -v b="$time" 'BEGIN { exit !(a > 0.95 * b && a < 1.05 * b) }'

if ! command -v perf >/dev/null || ! perf record -q -a -e cpu-clock -o perf.data true 2>/dev/null; then
	skip 'perf is not installed, or cannot record' 'the shares of functions are those that perf finds'
	done_testing
fi
# The periods differ, so that the timers do not meet again and again.
perf record -q -a -g -e cpu-clock -c 1013000 -o perf.data -- \
	er_kernel -p hi -q 0 -F off -o shares.er ./calls 6 2>err >out
read -r process time <out
perf script -i perf.data -F comm,pid,ip,sym --comm calls >chains 2>/dev/null
"$TESTDIR/shares.py" chains shares.er "$process" >shares
sed '$d' shares
tail -n 1 shares >last
read -r most functions <last
note "$functions functions, of which one differs by $most standard deviations"
check 'there are functions' [ "$functions" -ge 10 ]
check 'the shares of functions are those that perf finds' awk -v most="$most" 'BEGIN { exit !(most < 4.5) }'
done_testing
