#!/bin/sh
# Descriptors, limits and privileges of the program: the recording survives any change to them.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

situation() { # NAME SECONDS [ARGUMENT]
	situation_name=$1
	situation_seconds=$2
	shift 2
	as_alone "$situation_name" "$programs/descriptors" "$situation_name" "$@"
	has_seconds "$situation_seconds" "$situation_name"
}

situation lowest .03
situation close_from .13
situation close_in_range .13
situation close_each .13
situation dup_over .13
situation no_file_size .13
situation no_descriptors .13
situation no_memory .13
situation strict .05
situation filtered .22 sigreturn
situation filtered .03
situation filtered .03 exit
situation filtered_child 0
situation filtered_twice .13
situation filtered_twice .03 narrow
situation filtered_beside 0
usual=$parameters
parameters='p:100;a:off;' # by the kernel's event
situation filtered_twice .13
situation filtered_twice .03 narrow
parameters=$usual

as_alone removed "$programs/descriptors" removed "$PWD/recorded.er"

if [ "$(id -u)" = 0 ]; then
	mkdir empty
	chmod 755 . ..
	situation new_root .13 "$PWD/empty"
	situation new_user .13
else
	skip "not root" "new_root, new_user"
fi

record recorded.er 'p:1000;a:off;' "$programs/descriptors" close_from
check "after closefrom the experiment is closed properly" is_clean recorded.er

mkdir full
record_experiment=$PWD/full
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k none full 2>/dev/null; then
	mkdir full/test.er
	env SP_COLLECTOR_EXPNAME="$PWD/full/test.er" SP_COLLECTOR_PARAMS='p:1000;S:1;a:off;' \
		SP_COLLECTOR_PRELOAD="$library" LD_PRELOAD="$library" \
		"$programs/threads" busy >out 2>&1
	is "$? $(cat out)" "0 " "on a full disk the program behaves as alone"
	check "on a full disk the log says why nothing was recorded" \
		grep -aq 'kind="cerror"' full/test.er/log.xml
	umount full
else
	skip "no mount" "a full disk"
fi

# shellcheck disable=SC3045 # the shells of Debian and others have it
is "$(ulimit -n 13; record recorded.er 'p:1000;a:off;' \
	paste /dev/null /dev/null /dev/null /dev/null /dev/null 2>&1; echo $?)" 0 \
	"a program with few descriptors has all of them to itself"
is "$(grep -c 'kind="cerror"' recorded.er/log.xml)" 0 "it is recorded like any other"
check "and can be read" er_print -functions recorded.er

for room in 0 1 2 3; do
	record recorded.er 'p:1000;a:off;' "$programs/descriptors" few_descriptors $room
	gp-display-text -experiment_list recorded.er | grep -c 'recorded.er/_f1.er'
	grep -c 'kind="cerror"' recorded.er/_f1.er/log.xml
done >begun.txt
is "$(xargs <begun.txt)" '1 0 1 0 1 0 1 0' \
	"so is a child that has no descriptor left at its first event"

record recorded.er 'p:1000;a:off;' true
is "$(record_experiment=; env SP_COLLECTOR_EXPNAME=/nowhere/test.er SP_COLLECTOR_PARAMS='p:1000;' \
	SP_COLLECTOR_PRELOAD="$library" LD_PRELOAD="$library" sh -c 'echo fine' 2>&1)" fine \
	"without a directory the program behaves as alone"

done_testing
