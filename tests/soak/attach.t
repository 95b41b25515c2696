#!/bin/sh
# Some attaches to some of the programs of tests/soak/attach; "make attaches" is the long form.
. "$TOP/tests/lib/tap.sh"

ATTACHES=4 SOAK_WATCHDOG=100 "$TOP/tests/soak/attach" malloc dlopen threads read profiles python3 >report 2>&1
status=$?
note "$(cat report)"
ok $status "programs that are attached to do as they do alone, and the experiments can be read"
"$TOP/tests/soak/attach" nothing >report 2>&1
is "$?" 1 "no programs is a failure"
is "$(tail -n 1 report)" "attach: 0 recordings of 0 programs: 0 hangs, 0 wrong, 0 bad experiments, 0 skipped" \
	"and the last line says so"
done_testing
