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

as_alone sleeping "$programs/threads" sleeping
er_print -statistics 1 -statistics 2 recorded.er >statistics
awk '/Duration/ { lasted = $NF } /Total Thread Time/ { sum[++count] = $NF - lasted; all[count] = lasted }
	END {
		# Three threads of 0.2 s, which are gone for as long before the end; rounded figures.
		print (sum[1] > .598 && sum[1] < 3 * (all[1] - .2) + .002) ? "sum" : "no sum " sum[1]
		print (sum[2] < .002 && sum[2] > -.002) ? "one" : "not one " sum[2]
	}' statistics >found
is "$(cat found)" "sum
one" "sleeping: the time of threads is that of each together, in a child that of its one"

done_testing
