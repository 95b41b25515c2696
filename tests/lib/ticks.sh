# shellcheck shell=sh
# Recordings with ticks. On a busy host the timers of a process may be late for seconds: its time is recorded,
# but not where it was spent.

# with_ticks COUNT EXPERIMENT COMMAND...: record until the experiment has so many clock packets, six times at most
with_ticks() {
	ticks_wanted=$1 ticks_made=$2
	shift 2
	for _ in 1 2 3 4 5 6; do
		rm -rf "$ticks_made"
		"$@" 2>/dev/null
		ticks=$(er_print -header "$ticks_made" | sed -n 's/.*profile: \([0-9]*\) clock.*/\1/p' | head -n 1)
		[ "${ticks:-0}" -lt "$ticks_wanted" ] || return 0
	done
}
