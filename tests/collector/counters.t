#!/bin/sh
# Counters. Those that the kernel provides itself work on every machine.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

can_count() {
	collect -n -h "$1" true >/dev/null 2>&1
}

if ! can_count page-faults,1; then
	skip "the kernel permits no counters" "page faults"
	done_testing
fi

asked() { # WORDS EXPECTED
	is "$(collect -n -h "$1" true 2>&1 | sed -n 's/^  counter  *//p' | tr '\n' ';')" "$2" "-h $1"
}

asked page-faults,1 'page-faults, every 1 events;'
asked page-faults 'page-faults, every 101 events;'
asked page-faults,hi 'page-faults, every 10 events;'
asked page-faults,lo,minor-faults,0x10 'page-faults, every 1010 events;minor-faults, every 16 events;'
asked page-faults,on,minor-faults 'page-faults, every 101 events;minor-faults, every 101 events;'
asked 'page-faults,5 minor-faults,5' 'page-faults, every 5 events;minor-faults, every 5 events;'
asked +page-faults,1 'page-faults, every 1 events, with data addresses;'
asked page-faults/0,5,minor-faults/1,5 'page-faults/0, every 5 events;minor-faults/1, every 5 events;'
asked off ''
collect -n -h page-faults true >shown
check "-h: the clock is off" grep -q '^  clock profiling      off$' shown
collect -n -h page-faults -p on true >shown
check "-h and -p: both are on" grep -q '^  clock profiling      10007' shown

# The list of counters available here.
collect -h >list
check '-h: the list begins with the number of counters at a time' \
	grep -q '^At most 16 counters can be recorded at a time' list
check '-h: each has its interval, its origin and its unit' grep -qxF \
	"    [+]page-faults,101 ('Page Faults', counted by the kernel; events)" list
is "$(grep -c "alias for cpu-cycles; CPU cycles)$" list)" \
	"$(can_count cycles,1000003 && echo 1 || echo 0)" '-h: an alias has its event'
collect >words
is "$(tail -n "$(wc -l <list)" words)" "$(cat list)" 'without arguments: the list is printed, too'
check 'without arguments: the usage precedes it' grep -q '^usage: collect' words

if ! can_count cycles,1000003; then
	collect -h cycles -o none.1.er true 2>message
	is $? 1 "an unavailable counter is an error"
	check "and is named" grep -q '^collect: -h cycles: ' message
	check "and nothing is recorded" [ ! -e none.1.er ]
fi

pages=500
collect -A off -S off -h +page-faults,1 -o faults.1.er "$programs/faults" $pages >array 2>message
is $? 0 "-h +page-faults,1: the program ends as when run alone"
er_export --text --only hwc --format json faults.1.er >records.json
is "$(python3 - "$(cat array)" $pages <<'END'
import json, sys
array, pages = int(sys.argv[1]), int(sys.argv[2])
seen = {}
for line in open("records.json"):
    record = json.loads(line)
    address = record.get("fields", {}).get("VADDR")
    if address is not None:
        address = int(str(address), 0)
        if array <= address < array + pages * 4096:
            seen.setdefault((address - array) // 4096, []).append(address)
expected = {i: [array + i * 4096 + 8 * (i % 512)] for i in range(pages)}
print("all" if seen == expected else "missing %d, wrong %d" % (
    len(set(expected) - set(seen)), sum(seen[i] != expected[i] for i in seen)))
END
)" all "the first touch of each page of an array is recorded with its address"
check "gprofng's reader opens it" is_clean faults.1.er
is "$(gp-display-text -metrics e.page-faults -sort e.page-faults -functions faults.1.er |
	awk '$NF == "touch" { print $1 }')" $pages "and shows the faults in the function that makes them"

collect -A off -S off -h page-faults,7 -p on -o both.1.er "$programs/faults" 3000 >array 2>message
is "$(find both.1.er -name hwcounters -o -name profile | wc -l)" 2 "-h and -p: both are recorded"
is "$(gp-display-text -metrics e.page-faults -functions both.1.er |
	awk '$NF == "touch" { print ($1 > 2900 && $1 < 3100) }')" 1 "-h page-faults,7: every event counts"

# A clock sample may hit the dynamic linker, which has a _start without faults.
shares() { # PROGRAM: what it shows of the program's own functions, in columns of any width
	"$1" -metrics e.page-faults:i.%page-faults:e.totalcpu -functions both.1.er 2>/dev/null |
		grep -E ' (<Total>|main|touch|_start)$' | sed 's/^ *//; s/  */ /g' | grep -v '^0 0 '
}
is "$(shares er_print)" "$(shares gp-display-text)" "er_print shows the same as gprofng"

collect -A off -S off -h minor-faults,1,page-faults,1 -o two.1.er "$programs/faults" 100 >array 2>message
is "$(grep -ac '<profile name="hwcounter"' two.1.er/log.xml)" 2 "two counters are declared"
is "$(gp-display-text -metrics e.page-faults:e.minor-faults -functions two.1.er |
	awk '$NF == "touch" { print $1, $2 }')" "100 100" "and count the same"

# shellcheck disable=SC2016 # for that shell
collect -A off -S off -h page-faults,1 -o family.1.er sh -c '"$0" 10; exit 0' "$programs/faults" >array 2>message
er_print -metric_list family.1.er >metrics 2>errors
is "$? $(grep -c 'Inclusive page-faults' metrics) $(cat errors)" "0 1 " "the counter of all descendants is one metric"

for rate in 500u 250u; do
	record recorded.er "p:${rate%u};a:off;" "$programs/threads" measured 2 2 .5 >used
	share=$(awk -v u="$(cat used)" -v s="$(seconds recorded.er)" 'BEGIN { print s / u }')
	check "every $rate: the time used is recorded ($share of it)" \
		awk -v share="$share" 'BEGIN { exit !(share > .95 && share < 1.05) }'
	events=$(er_export --text --only profile --format json recorded.er | grep -c NTICK)
	check "every $rate: $events records in one second, more than ticks of the kernel" \
		[ "$events" -gt "$(($(getconf CLK_TCK) * 3))" ]
done

# A kernel that cannot send the signal by itself, as before Linux 5.13: the file sends it. Run in a pid
# namespace from which strace is not seen, because a debugger gets the same.
if strace -f -qq -o trace -e trace=none unshare -p -f --mount-proc true 2>/dev/null; then
	mkdir older.er
	strace -f -qq -e signal=none -o trace -e trace=perf_event_open \
		-e inject=perf_event_open:error=E2BIG:when=1 \
		unshare -p -f --mount-proc env SP_COLLECTOR_EXPNAME="$PWD/older.er" \
		SP_COLLECTOR_PARAMS='h:task-clock,task-clock,1,1,1,0,0,1000000,1|;a:off;' \
		LD_PRELOAD="$library" "$programs/timers" alarms >out 2>errors
	is "$(cat out)" "alarms 1000 ends 1000" "an older kernel: behaves as alone"
	check "an older kernel: its counter counts" \
		awk -v events="$(er_print -metrics i.task-clock:name -functions older.er |
			sed -n 's/^\([0-9]*\) .*<Total>.*/\1/p')" 'BEGIN { exit !(events > 100000000) }'
else
	skip 'strace is not installed, or not allowed' 'an older kernel'
fi

done_testing
