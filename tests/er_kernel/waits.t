#!/bin/sh
# What a followed load waits for: sleep, and the processor, where the program was.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

ln -s "$BUILD/tests/er_kernel/programs/naps" naps
without_loss naps.er er_kernel -p hi -q 0 -o naps.er ./naps >out
ok $? 'nothing is lost'
read -r process slept awaited displaced lived used <out
cat out err | sed 's/^/# /'
descendant=naps.er/_naps_PID_$process.1.er

# list METRIC: "value function" of each
list() {
	er_print -limit 100000 -metrics "i.$1:name" -functions "$descendant" 2>/dev/null | awk '/<Total>/ { on = 1 } on { print $1, $2 }'
}
# near WHAT METRIC FUNCTION TRUTH: within a hundredth, and a few milliseconds for what comes before the wait
near() {
	list "$2" >rows
	awk -v name="$3" -v truth="$4" '
		$2 == name { got = $1 }
		END { print got + 0; exit !(got > truth * .98 - .005 && got < truth * 1.02 + .005) }' rows >got
	ok $? "$1: $(cat got) of $4 seconds"
}
near 'a sleep' sleep nap "$slept"
near 'a read that waits' sleep read_pipe "$awaited"
near 'a processor that another process uses' wait compete "$displaced"
# The other threads wait as well.
near 'the sleep of another thread' sleep write_late 0.4
kernel=$(er_print -limit 100000 -metrics i.kcpu:name -functions naps.er 2>/dev/null |
	awk -v name="naps_PID_$process" '$NF == name { print $1 }')
er_print -limit 100000 -metrics e.user:e.sleep:e.wait:name -threads naps.er 2>/dev/null >threads || :
note "kernel $kernel"
all=$(list total | awk '$2 == "main" { print $1 }')
check "all of the time of the main thread: $all and ${kernel:-0} of $lived, CPU time $used" \
	awk -v got="$all" -v kernel="${kernel:-0}" -v all="$lived" 'BEGIN { exit !(got + kernel > .95 * all && got < 1.02 * all) }'
if command -v gp-display-text >/dev/null; then
	gp-display-text -metrics e.totalcpu:name -functions naps.er >/dev/null 2>gprofng
	ok $? 'gprofng opens it'
else
	skip 'gprofng is not installed' 'gprofng opens it'
fi

er_kernel -q 0 -F off -o none.er ./naps >/dev/null 2>&1
is "$(find none.er -name '_*.er')" '' '-F off: nothing of them'
done_testing
