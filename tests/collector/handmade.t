#!/bin/sh
# Stacks through code without unwind data are walked to their root, and no further.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip "the unwinder knows x86-64 only" "frames without rules"
	done_testing
fi

# handmade SITUATION FUNCTION: it behaves as alone; all of its stacks are whole, and reach the function.
handmade() {
	as_alone "$1" "$programs/handmade" "$1"
	handmade_share=$(share '<Stack-unwind-failed>')
	ok "$((handmade_share > 1))" "$1: its stacks are whole (except $handmade_share %)"
	handmade_share=$(share "$2")
	check "$1: $2 is reached ($handmade_share %)" [ "$handmade_share" -ge 95 ]
}

handmade goroutines goexit
handmade frames goexit
handmade switched ask_for_work
share=$(share switched)
check "switched: its caller too ($share %)" [ "$share" -ge 95 ]
handmade fibers run_fiber
handmade vectors call_often
handmade aligned call_often
handmade trampolines trampolines
done_testing
