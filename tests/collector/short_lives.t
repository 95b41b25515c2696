#!/bin/sh
# Processes and threads shorter than the clock's interval have their time, at the right place.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

has_event=1
collect -n -h task-clock true >/dev/null 2>&1 || has_event=

# is_within PERCENT ACTUAL EXPECTED
is_within() {
	awk -v p="$1" -v a="${2:-0}" -v e="$3" \
		'BEGIN { d = a - e; if (d < 0) d = -d; exit !(e > 0 && d <= p / 100 * e) }'
}

# within PERCENT ACTUAL EXPECTED TEXT
within() {
	is_within "$1" "$2" "$3"
	ok $? "$4: $2 s of $3, within $1 %"
}

# share_of FUNCTION IN: the share, in percent, of the inclusive time of IN in functions.txt, without the
# start.
share_of() {
	awk -v f="$1" -v i="$2" '$NF == f { found = $3 } $NF == i { all += $3 }
		i == "<Total>" && $NF == "not_sampled_program_start" { all -= $3 }
		END { print (all > 0 ? int(100 * found / all) : 0) }' functions.txt
}

# record_until PERCENT FUNCTION IN PATTERN PARAMETERS COMMAND...: into recorded.er, functions.txt and
# used.txt, until the share is that large. On a busy host timers may be late for seconds, and hit nothing
# then.
record_until() {
	record_percent=$1 record_function=$2 record_in=$3 record_pattern=$4
	shift 4
	for _ in 1 2 3 4 5 6; do
		record recorded.er "$@" >used.txt
		# shellcheck disable=SC2086 # a pattern
		er_print -functions $record_pattern >functions.txt
		[ "$has_event" ] || return
		[ "$(share_of "$record_function" "$record_in")" -lt "$record_percent" ] || return
	done
}

# is_busy: more than twice as many threads than processors want to run
is_busy() {
	awk -v n="$(nproc)" '{ exit !($1 > 2 * n) }' /proc/loadavg
}

# at_least PERCENT FUNCTION IN TEXT
at_least() {
	at_least_found=$(share_of "$2" "$3")
	if [ "$at_least_found" -lt "$1" ] && is_busy; then
		skip "$at_least_found % of the time is that of $2: others keep the processors busy" "$4"
	else
		ok "$((at_least_found < $1))" "$4: $at_least_found % of the time is that of $2, at least $1"
	fi
}

row() { # FUNCTION: its time in functions.txt
	awk -v f="$1" '$NF == f { print $1 + 0; found = 1 } END { if (!found) print 0 }' functions.txt
}

# measure INTERVAL KIND DESCENDANTS: one hundred processes of 12 ms; $total was recorded of $expected seconds.
measure() {
	record_until 70 burn '<Total>' "recorded.er/$3" "p:$1;a:off;" \
		"$programs/short_lives" "measured_$2" 100 .012
	used=$(awk '$1 != "all" { sum += $1 } END { print sum }' used.txt)
	all=$(awk '$1 == "all" { print $2 }' used.txt)
	start=$(row not_sampled_program_start)
	# They take what interrupts them for handlers, so that the others' interrupts are measured without any.
	expected=$("$programs/short_lives" "measured_$2" 100 .012 |
		awk -v used="$used" '$1 != "all" { used += $2 } END { print used }')
	# Some time of a process comes before its first look at the clock, and after its last: .2 ms, or ten times as
	# much where forks are slow.
	total=$(awk -v t="$(row '<Total>')" -v s="$start" 'BEGIN { print t - s }')
}

# is_all: at least nine tenths of what the processes have measured; the kernel's account is the other bound, below.
is_all() {
	awk -v t="$total" -v e="$expected" 'BEGIN { exit !(e > 0 && t >= .9 * e) }'
}

# tree INTERVAL KIND DESCENDANTS: measured again if others have interrupted the two runs for different times
tree() {
	for _ in 1 2 3 4; do
		measure "$@"
		! is_all || break
	done
	text="$2, each $1 us: the time measured by the processes, less the collector's handlers, is recorded"
	if is_busy && ! is_all; then
		skip "$total s of $expected: others keep the processors busy" "$text"
	else
		is_all
		ok $? "$text: $total s of $expected"
	fi
	# Of the end itself, some 10 us each, a tick of one or two processes may tell.
	check "$2, each $1 us: $(row __run_exit_handlers) s of $used are charged to their end, at most 1 %" \
		awk -v e="$(row __run_exit_handlers)" -v u="$used" 'BEGIN { exit !(e <= .01 * u) }'
	if [ "$has_event" ]; then
		at_least 70 burn '<Total>' "$2, each $1 us"
	else
		skip "the kernel permits no events" "$2, each $1 us: where they are at work"
	fi
	er_print -functions recorded.er >functions.txt
	check "$2, each $1 us: all is $(row '<Total>') s, not more than the kernel's $all and not less than $used and $start" \
		awk -v t="$(row '<Total>')" -v a="$all" -v u="$used" -v s="$start" \
		'BEGIN { exit !(t <= a && t >= u + s) }'
	within .5 "$(seconds recorded.er)" "$(row '<Total>')" "$2, each $1 us: gprofng shows the same"
}

for interval in 10007 1000; do
	tree $interval forks '_f*.er'
	tree $interval programs '_f*_x1.er'
	check "programs, each $interval us: their start has $start s, at least .02" \
		awk -v s="$start" 'BEGIN { exit !(s >= .02) }'
done

# The time of each process, and the part of it that has samples.
er_print -experiment_list recorded.er >list.txt
within 3 "$(awk '$2 == "yes" { sum += $4 } END { print sum }' list.txt)" "$(row '<Total>')" \
	"the list of experiments has the time of each process"
sampled=$(awk '/<Total>/ { all = $1 } $NF ~ /^not_sampled/ { no += $1 }
	END { print 100 * (all - no) / all }' functions.txt)
# shellcheck disable=SC2016 # of awk
check "and the part with samples, $sampled % in all" awk -v s="$sampled" '
	$2 == "yes" { time += $4; part += $4 * $5 / 100 }
	END { d = 100 * part / time - s; exit !(d > -1 && d < 1) }' list.txt
check "so do statistics" sh -c "er_print -statistics all recorded.er | grep -A1 'CPU Time Recorded' |
	awk -v s=$sampled 'NR == 2 { gsub(/[()%]/, \" \"); d = \$NF - s; found = d > -1 && d < 1 } END { exit !found }'"

# A script of many programs: all of it is recorded, even if no tick hits any.
cat >script <<'end'
i=0
while [ $i -lt 50 ]; do
	perl -e 1
	i=$((i + 1))
done
end
record recorded.er 'p:10007;a:off;' sh script
er_print -functions recorded.er >functions.txt
check "a script of 50 programs: their start has $(row not_sampled_program_start) s, at least .01" \
	awk -v s="$(row not_sampled_program_start)" 'BEGIN { exit !(s >= .01) }'
with_time=$(er_print -experiment_list recorded.er | awk '$2 == "yes" && $4 + 0 > 0' | wc -l)
check "and the processes have time, $with_time of 51" test "$with_time" -ge 40

# Threads of 1 ms, one after the other.
for interval in 10007 1000; do
	name="threads of 1 ms, each $interval us"
	if [ ! "$has_event" ]; then
		skip "the kernel permits no events" "$name"
		continue
	fi
	record_until 95 burn burn_thread recorded.er "p:$interval;a:off;" \
		"$programs/threads" measured 300 1 .001
	at_least 95 burn burn_thread "$name"
	# shellcheck disable=SC2016 # of awk
	check "$name: $(row '<Total>') s, at least .3, not more than the kernel's $(cat used.txt)" \
		awk -v t="$(row '<Total>')" '{ exit !(t >= .3 && t <= $1) }' used.txt
done

done_testing
