#!/bin/sh
# Descendants of descendants, with names so long that hidden names no longer fit.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# 245 characters, of at most 252.
long=$(printf '_f1%.0s' $(seq 80))_f123

descendants() {
	find recorded.er -maxdepth 1 -name '*_f*' -printf '%f\n' | sort | tr '\n' ' '
}

# recorded LINEAGE COMMAND...: recorded in a descendant of that lineage.
recorded() (
	export SP_COLLECTOR_LINEAGE="$1"
	shift
	record recorded.er 'p:1000;a:off;' "$@"
)

# shellcheck disable=SC2317 # called by check
has_time() { # EXPERIMENT
	er_print -functions "$1" | awk '/<Total>/ { is_good = $3 > 0 } END { exit !is_good }'
}

# shellcheck disable=SC2016 # $0 is the shell's
recorded "$long" bash -c '(exec "$0" shares .1); :' "$programs/sampled" >/dev/null
is "$(descendants)" "$long.er ${long}_f1.er ${long}_f1_x1.er " "all have their names"
check "with the recorded data" has_time "recorded.er/${long}_f1_x1.er"

if ! ${CC:-cc} -static -O2 -g -D_GNU_SOURCE -pthread -o sampled "$TESTDIR/programs/sampled.c" 2>/dev/null ||
	! ./sampled has_events; then
	skip "no static libc, or no events of the kernel" "static programs"
	done_testing
fi
recorded "$long" bash -c '(exec ./sampled shares .3); :' >/dev/null
for _ in $(seq 50); do
	grep -aq 'kind="exit"' "recorded.er/${long}_f1_x1.er/log.xml" 2>/dev/null && break
	sleep .1
done
is "$(descendants)" "$long.er ${long}_f1.er ${long}_f1_x1.er " "a static program: the same"
check "a static program: with the recorded data" has_time "recorded.er/${long}_f1_x1.er"

# A name too long for any directory would be cut off, and become that of another descendant.
longest=$(printf '_f1%.0s' $(seq 82))_f1234
recorded "$longest" bash -c 'exec ./sampled shares .1' >/dev/null
is "$(descendants)" "$longest.er " "exec of a static program: no name is cut off"
check "exec: the log says so" grep -aq 'kind="cwarn"' "recorded.er/$longest.er/log.xml"
recorded "$longest" "$programs/sampled" spawns ./sampled >/dev/null
is "$(descendants)" "$longest.er " "spawn of a static program: no name is cut off"
check "spawn: the log says so" grep -aq 'kind="cwarn"' "recorded.er/$longest.er/log.xml"

done_testing
