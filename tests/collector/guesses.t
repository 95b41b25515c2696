#!/bin/sh
# Walks over frames without rules read data that is not code, or not mapped. The program does not notice.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip "the unwinder knows x86-64 only" "frames without rules"
	done_testing
fi

# Events of a short clock arrive while such a read faults.
parameters='p:100;a:off;'
as_alone "words that lead nowhere" "$programs/guesses" counts

trace_everything off
as_alone "calls while all signals are blocked" "$programs/guesses" calls_with_all_blocked
parameters="p:100;H:;s:0,n;i:;a:off;"
as_alone "calls" "$programs/guesses" calls
as_alone "calls and samples while all signals are blocked" "$programs/guesses" calls_with_all_blocked
done_testing
