# shellcheck shell=sh
# Functions for tests that record programs through the environment, set up as by collect.

# shellcheck disable=SC2034 # for the tests
programs=$BUILD/tests/collector/programs
library=$BUILD/lib/erkit/libcollector.so

# record EXPERIMENT PARAMETERS COMMAND...: with samples each second and descendants followed.
record() {
	record_experiment=$PWD/$1
	record_parameters="S:1;F:3;$2"
	shift 2
	rm -rf "$record_experiment" && mkdir "$record_experiment" || return 125
	env SP_COLLECTOR_EXPNAME="$record_experiment" SP_COLLECTOR_PARAMS="$record_parameters" \
		SP_COLLECTOR_PRELOAD="$library" LD_PRELOAD="$library" "$@"
}

# seconds EXPERIMENT: the CPU seconds that gprofng attributes in it (descendants included).
seconds() {
	gp-display-text -functions "$1" 2>/dev/null |
		sed -n 's/^ *\([0-9.]*\) .*<Total>$/\1/p'
}

# share FUNCTION [EXPERIMENT]: the percentage of the sampled time whose stacks contain it. Rows not_sampled_... are
# shares of all time: on a busy host the time before the first event alone may be several percent.
share() {
	er_print -functions "${2:-recorded.er}" |
		awk -v name="$1" '/<Total>/ { total = $3 } $NF == name { found = $3 }
			$NF ~ /^not_sampled_/ && name !~ /^not_sampled_/ { total -= $3 }
			END { print total ? int(100 * found / total + 0.5) : "none" }'
}

# is_clean: the reader opens founder and descendants without a complaint.
is_clean() {
	gp-display-text -header "$1" >header.txt 2>&1
	! grep -Ei 'error|warning|damage|cannot|not closed' header.txt |
		grep -v -e '^No errors$' -e '^No warnings$'
}

# as_alone NAME PROGRAM SITUATION...: exit status, output and errors are the same as without us.
parameters='p:1000;a:off;'
as_alone() {
	as_alone_name=$1
	shift
	"$@" >alone.out 2>alone.err
	echo "status $?" >>alone.out
	record recorded.er "$parameters" "$@" >recorded.out 2>recorded.err
	echo "status $?" >>recorded.out
	if grep -qx 'status 99' alone.out; then
		ok 1 "$as_alone_name: there is such a situation"
	elif cmp -s alone.out recorded.out && cmp -s alone.err recorded.err; then
		ok 0 "$as_alone_name: behaves as alone"
	else
		ok 1 "$as_alone_name: behaves as alone"
		diff alone.out recorded.out | sed 's/^/# /'
		diff alone.err recorded.err | sed 's/^/# /'
	fi
}

# trace_everything: from here on every traceable call is recorded, with this clock.
trace_everything() { # MICROSECONDS
	for trace_kind in heap sync io; do
		library="$library $BUILD/lib/erkit/libcollector-$trace_kind.so"
	done
	parameters="p:$1;H:;s:0,n;i:;a:off;"
}

# has_seconds AT_LEAST TEXT: recorded.er has at least this much CPU time.
has_seconds() {
	has_seconds_found=$(seconds recorded.er)
	awk -v a="${has_seconds_found:-0}" -v b="$1" 'BEGIN { exit !(a + 0 >= b + 0) }'
	ok $? "$2: ${has_seconds_found:-0} s recorded, at least $1"
}
