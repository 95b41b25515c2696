#!/bin/sh
# Walks over frames that have no rules read what is no code, or not there: the program does not notice.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip "the unwinder knows x86-64 only" "frames without rules"
	done_testing
fi

trace_everything off
as_alone "calls while all signals are blocked" "$programs/guesses" calls_with_all_blocked
done_testing
