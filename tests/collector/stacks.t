# shellcheck shell=sh
# Programs with unusual stacks behave as alone, and their stacks are walked to the end.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# No more than one stack in a hundred ends where it cannot be walked on.
is_whole() {
	is "$(share '<Stack-unwind-failed>')" 0 "$1: its stacks are whole"
}

situation() { # NAME SECONDS
	as_alone "$1" "$programs/stacks" "$1"
	check "$1: the reader has no complaint" is_clean recorded.er
	has_seconds "$2" "$1"
}

situation deep .15
# A tick may hit a stack that is not yet too deep.
truncated=$(share '<Truncated-stack>')
ok "$((truncated < 90))" "deep: long stacks are cut, and say so ($truncated %)"
situation alternate .2
is_whole alternate
share=$(share alternate)
check "alternate: from one stack to the other ($share %)" [ "$share" -ge 92 ]
situation overflown .1
is_whole overflown
situation loading .2
is_whole loading
situation contexts .15
is_whole contexts
share=$(share take_turns)
check "contexts: coroutines are seen ($share %)" [ "$share" -ge 90 ]
situation handler_jumps .1
is_whole handler_jumps

# Where libgcc overwrites its own frames to get to a handler, about one stack in thirty has no true callers.
as_alone exceptions "$programs/exceptions" 100000
has_seconds .1 exceptions
share=$(share main)
check "exceptions: main is reached ($share %)" [ "$share" -ge 90 ]

parameters='p:250;a:off;'
as_alone "exceptions in threads, 4 kHz" "$programs/exceptions" 30000 3
check "exceptions in threads: the reader has no complaint" is_clean recorded.er
has_seconds .1 "exceptions in threads"
share=$(share '<Stack-unwind-failed>')
check "exceptions in threads: few stacks are cut off ($share %)" [ "$share" -le 5 ]

done_testing
