#!/bin/sh
# collect -P on machines whose debug registers stop no program: all of attach.t, with a collect that steps.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! collect -n -h +watch true >/dev/null 2>&1; then
	skip "attach.t steps here" "collect -P by steps"
	done_testing
fi
PATH=$BUILD/tests/collect/stepping/bin:$PATH
# shellcheck source=tests/collect/attach.t
. "$TESTDIR/attach.t"
