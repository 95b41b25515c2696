#!/bin/sh
# The CPU time recorded is the time that the kernel counts for the process.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# attributed PERCENT COUNT TOGETHER SECONDS
attributed() {
	attributed_used=$(record recorded.er 'p:10007;a:off;' "$programs/threads" measured "$2" "$3" "$4")
	attributed_seen=$(seconds recorded.er)
	awk -v u="$attributed_used" -v s="$attributed_seen" -v p="$1" \
		'BEGIN { d = 100 * (s - u) / u; if (d < 0) d = -d; exit !(u > 0 && d <= p) }'
	ok $? "$2 threads of $4 s, $3 at once: $attributed_seen of $attributed_used s, within $1 %"
}

# Periods are recorded whole, so a thread's last one may be missing: of .1 s, one in ten.
attributed 6 1 1 .4
attributed 4 3 3 .3
attributed 3 16 16 .1
# On a busy machine the ends of a thread, which nobody can see from inside, cost a twentieth of .001 s.
attributed 10 600 4 .001
attributed 5 200 4 .005
done_testing
