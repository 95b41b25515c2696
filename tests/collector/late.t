#!/bin/sh
# The library is opened in the middle of a run: threads that exist are recorded, and nothing is left at the end.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

late() { # SITUATION [EXPERIMENT...]
	late_situation=$1
	shift
	rm -rf "$@"
	timeout -k 5 60 "$programs/late" "$late_situation" 'p:10007;S:1;a:off;' "$library" "$@" >output 2>&1
	ok $? "$late_situation: ends well"
}

# left NUMBER: that many recordings ended without a trace.
left() {
	is "$(grep -c 'nothing is left' output)" "$1" "$late_situation: nothing is left of $1 recordings"
	grep -q 'after:' output && sed 's/^/# /' output
}

# has_used EXPERIMENT LINE: the recorded time is the one that the program has measured, to 1 % and two periods. The
# program counts the time of the handlers, too, which is not recorded, and is longer on a busy machine.
has_used() {
	has_used_alone=$(sed -n 's/^used //p' output | sed -n "$2p")
	has_used_recorded=$(er_print -functions "$1" | awk '/<Total>/ { print $1 }')
	awk -v a="${has_used_alone:-0}" -v b="${has_used_recorded:-0}" \
		'BEGIN { d = a - b; exit !(a > 0 && d < .01 * a + .02 && d > -.01 * a - .02) }'
	ok $? "$late_situation: $1 has $has_used_recorded s of $has_used_alone s"
}

for situation in threads many sleepers blocks_profile blocks_all; do
	late $situation first.er second.er
	left 2
	has_used first.er 1
	has_used second.er 2
	for experiment in first second; do
		check "$situation: the reader has no complaint about $experiment.er" is_clean $experiment.er
	done
	case $situation in
	threads)
		is "$(share work_before first.er)" 0 "threads: work before the recording is not in it"
		awk -v s="$(share work_until_stop second.er)" 'BEGIN { exit !(s > 50) }'
		ok $? "threads: all threads are sampled in the second, too"
		;;
	sleepers)
		is "$(grep -c ': 0, whole$' output)" 6 "sleepers: no call is cut short"
		;;
	blocks_profile)
		awk -v s="$(share work_blocked first.er)" 'BEGIN { exit !(s > 30) }'
		ok $? "blocks_profile: the thread that blocks SIGPROF is sampled"
		;;
	blocks_all)
		for experiment in first second; do
			check "blocks_all: the log of $experiment.er says so" \
				grep -q '1 thread is not sampled, because it blocks SIGPROF and SIGWINCH' $experiment.er/log.xml
		done
		;;
	esac
done

late coming_and_going first.er
check "coming_and_going: the reader has no complaint" is_clean first.er

late profiler first.er
left 1
is "$(grep -v left output)" "before: profiled
while recorded: profiled
after: profiled
handler: the program's" "profiler: its own signals go on"

# The thread that makes the calls for a debugger, with signals blocked meanwhile, blocks them itself.
late used_blocks_all first.er second.er
left 2
has_used first.er 1
has_used second.er 2
check "used_blocks_all: it is sampled" [ "$(share burn second.er)" -ge 95 ]

late refused failed.er first.er second.er
left 3
is "$(sed -n 's/^\(start\|state\)/\1/p' output | tr '\n' ' ')" "start: -5 state off " "refused: what fails is told"
has_used first.er 1
has_used second.er 2

late trap first.er second.er
is "$(cat output)" "trapped 1
trapped 2" "trap: a handler that had to stay calls the program's"

late control first.er
is "$(cat output)" "again: -16, the process is already recorded
paused 1
state ended" "control: states are told"
is "$(share work_paused first.er)" 0 "control: nothing is recorded in a pause"
check "control: all is recorded outside of it, but for its own calls" [ "$(share work_recorded first.er)" -ge 95 ]
check "control: there is a sample by hand" grep -q 'label="by hand"' first.er/log.xml

# A program that has calls of the API in it.
check "api: a program links with it" cc -I"$TOP/collector/api" -o api "$TOP/tests/collector/api/late.c" \
	"$BUILD/lib/libcollectorAPI.a"
mkdir api.er
is "$(timeout 60 ./api "$library" "$PWD/api.er" 2>&1)" "done" "api: ends well"
is "$(sed -n 's/.*kind="\(sample\|pause\|resume\|exit\)".*label="\(.*\)".*/\2/p' api.er/log.xml | tr '\n' ,)" \
	"collector_open_experiment,in time,collector_pause(API),collector_resume,collector_close_experiment," \
	"api: its calls are heard as long as the process is recorded"

done_testing
