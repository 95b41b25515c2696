#!/bin/sh
# The CPU time recorded is the time that the kernel counts for the process.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# attributed PERCENT COUNT TOGETHER SECONDS: no more than the kernel counts, and no less than what the threads have
# used when their functions end: the ends, which cannot be seen from inside, take as long as the machine pleases.
attributed() {
	attributed_used=$(record recorded.er 'p:10007;a:off;' "$programs/threads" measured_inside "$2" "$3" "$4")
	attributed_seen=$(seconds recorded.er)
	echo "$attributed_used" | awk -v s="$attributed_seen" -v p="$1" \
		'{ exit !($2 > 0 && s >= $2 * (1 - p / 100) && s <= $1 * (1 + p / 100)) }'
	ok $? "$2 threads of $4 s, $3 at once: $attributed_seen of $attributed_used s, within $1 %"
}

# Only whole periods are recorded, so a thread's last one may be missing: one in ten for .1 s.
attributed 6 1 1 .4
attributed 4 3 3 .3
attributed 3 16 16 .1
attributed 5 600 4 .001
attributed 4 200 4 .005

# The kernel's shares of user and system time are samples as well: agreement within three standard deviations.
# user_of: percent of user time and the seconds of both, from lines "user system".
user_of() {
	awk 'NF >= 2 { print 100 * $1 / ($1 + $2), $1 + $2 }'
}
recorded_user() {
	er_print -metrics i.user:i.system:name -functions "${1:-recorded.er}" 2>/dev/null |
		grep '<Total>' | user_of
}
# agrees NAME SAMPLES/S OURS SECONDS THEIRS SECONDS
agrees() {
	awk -v rate="$2" -v a="$3" -v t="$4" -v b="$5" 'BEGIN {
		p = (a + b) / 200; d = a > b ? a - b : b - a
		exit !(t > 0 && b != "" && d <= 2 + 300 * sqrt(p * (1 - p) / (rate * t))) }'
	ok $? "$1: $3 % user time, $5 % by the kernel"
}
# mix KINDS PERIOD SAMPLES/S
mix() {
	mix_theirs=$(record recorded.er "p:$2;a:off;" "$programs/mixed" "$1" 1.6 | user_of)
	# shellcheck disable=SC2046,SC2086 # two numbers each
	agrees "mix $1, $2 us" "$3" $(recorded_user) $mix_theirs
}
for kinds in c s l f cslf; do
	mix $kinds 10007 100
done
for kinds in s f cslf; do
	mix $kinds 997 250
done
# perf's samples are taken in the kernel, too, where that is permitted.
theirs=
if perf record -q -F 1000 -e cpu-clock -o perf.data \
	collect -A off -o beside.er "$programs/mixed" s 1.6 >/dev/null 2>&1; then
	theirs=$(perf script -i perf.data -F ip 2>/dev/null |
		awk '{ if ($1 ~ /^ffffffff/) in_kernel++; else user++ }
			END { if (in_kernel) print user + 0, in_kernel }' | user_of)
fi
if [ -n "$theirs" ]; then
	# shellcheck disable=SC2046,SC2086 # two numbers each
	agrees "mix s, beside perf" 100 $(recorded_user beside.er) $theirs
else
	skip "perf is not installed, or may not sample the kernel" "mix s, beside perf"
fi

# io_uring's workers are threads of the process that the collector cannot enter.
used=$(record recorded.er 'p:10007;a:off;' "$programs/uring" .6)
case $? in
77)
	skip "io_uring is not available" "the time of io_uring's workers"
	;;
*)
	check "the time of io_uring's workers is in <Total>" \
		awk -v u="$used" -v s="$(seconds recorded.er)" 'BEGIN { exit !(u > .5 && s > .94 * u) }'
	check "in a row of its own" test "$(share not_sampled_other_threads)" -ge 50
	check "the header says how much" \
		sh -c "er_print -header recorded.er | grep -q '^clock: .* not sampled'"
	;;
esac
record recorded.er 'p:10007;a:off;' "$programs/threads" measured 3 3 .1 >/dev/null
# The ends of threads, which cost microseconds, may add up to a tick.
check "known threads are not counted among them" \
	test "$(share not_sampled_other_threads)" -le 7
done_testing
