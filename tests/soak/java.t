#!/bin/sh
# Each program of tests/soak/java for a moment, with one collector of each machine; "make soak-java" is the long form.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v javac >/dev/null || ! command -v java >/dev/null; then
	skip 'no JDK is installed' 'Java'
	done_testing
fi
collector=$(printf 'Serial\nParallel\nG1\nZ\nShenandoah\n' | shuf -n 1)
SOAK_SECONDS=1 SOAK_COLLECTORS=$collector "$TOP/tests/soak/java" >report 2>&1
status=$?
note "$collector: $(cat report)"
ok $status "programs in Java behave as alone, and their experiments can be read"
SOAK_SECONDS=1 SOAK_COLLECTORS=Serial "$TOP/tests/soak/java" nothing >report 2>&1
is $? 1 "no program is a failure"
done_testing
