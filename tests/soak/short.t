#!/bin/sh
# One round of a random half of the quick programs of tests/soak/programs; "make soak" is the long form.
. "$TOP/tests/lib/tap.sh"

BUILD=$BUILD SOAK_HALF=1 SOAK_ROUNDS=1 SOAK_WATCHDOG=100 "$TOP/tests/soak/run" >report 2>&1
status=$?
note "$(cat report)"
ok $status "whole programs behave as alone, and their experiments can be read"
# Checks of the table itself: a known name, and an unknown one.
"$TOP/tests/soak/run" nothing >report 2>&1
is "$?" 1 "no programs is a failure"
is "$(grep -c '^soak: 0 recordings of 0 programs' report)" 1 "and the last line says so"
done_testing
