#!/bin/sh
# Threads begin and end in all ways, and none of their time is lost.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

situation() { # NAME SECONDS
	as_alone "$1" "$programs/threads" "$1"
	check "$1: the reader has no complaint" is_clean recorded.er
	has_seconds "$2" "$1"
}

situation busy .28
situation many .13
situation thousand .05
situation short_lived .1
situation one_after_the_other .22
situation small_stacks .18
situation detached .18
situation c11 .09
situation pthread_exits .04
situation cancelled .04
situation main_ends_first .09
situation thread_exits_process .04
situation destructors .02

done_testing
