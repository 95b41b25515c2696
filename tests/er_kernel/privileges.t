#!/bin/sh
# Who may record the kernel, and what helps those who may not: each with the settings of the kernel that matter,
# which this test changes for a moment, as root.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

paranoid=/proc/sys/kernel/perf_event_paranoid
restrict=/proc/sys/kernel/kptr_restrict
if [ "$(id -u)" != 0 ] || ! [ -w $paranoid ] || ! command -v setpriv >/dev/null ||
	! er_kernel -n -t 1 >/dev/null 2>&1; then
	skip 'it needs root and setpriv' 'privileges'
	done_testing
fi
# See tests/lib/kernel.sh.
exec 9>"${TMPDIR:-/tmp}/erkit-test.kernel"
flock 9
before="$(cat $paranoid) $(cat $restrict)"
# shellcheck disable=SC2317 # the trap calls it
restore() {
	echo "${before% *}" >"$paranoid"
	echo "${before#* }" >"$restrict"
}
trap restore EXIT
trap 'exit 130' INT TERM HUP

# What another user can reach: the programs and libraries by their paths, and a place to record.
mkdir bin lib place
cp "$BUILD/bin/er_kernel" "$BUILD/bin/er_archive" "$BUILD/bin/er_rm" "$BUILD/tests/er_kernel/programs/zeros" \
	"$BUILD/tests/er_kernel/programs/deep" bin
chmod 755 .. . bin
chmod 777 place
here=$PWD
as() { # CAPABILITIES COMMAND...: as another user with these
	capabilities=$1
	shift
	setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set="-all$capabilities" \
		--inh-caps="-all$capabilities" --ambient-caps="-all$capabilities" "$@"
}
load="$here/bin/zeros 0.3"
# tries CAPABILITIES OPTIONS...: the status of a recording, and what is said; the experiment is k.er
tries() {
	rm -rf place/k.er
	capabilities=$1
	shift
	# shellcheck disable=SC2086 # words
	(cd place && as "$capabilities" "$here/bin/er_kernel" -q 0 -o k.er "$@" $load) >said 2>&1
	echo "$? $(sed 1q said | cut -c1-60)"
}
# shellcheck disable=SC2317 # check calls it
# has_names: functions of the kernel in the recording have names
has_names() {
	er_print -limit 200 -functions place/k.er 2>/dev/null >functions
	grep -q '[a-z]_[a-z].*[^>]$' functions && ! grep -q '<static>@0x.*(<\[kernel\]>)' functions
}
if ! as '' "$here/bin/er_kernel" -V >/dev/null 2>&1; then
	skip 'another user cannot reach the programs' 'privileges'
	done_testing
fi
recording="3 er_kernel: recording to 'k.er'"
refused='1 er_kernel: cannot record the kernel: permission denied; beco'

echo 2 >"$paranoid"
echo 1 >"$restrict"
is "$(cd place && rm -rf k.er && er_kernel -q 0 -F off -o k.er ../bin/zeros 0.3 >../said 2>&1; echo "$? $(sed 1q ../said)")" "$recording" 'root: it is recorded'
check 'with names' has_names
is "$(tries '')" "$refused" 'a user, perf_event_paranoid 2: it is not'
check 'the cure is a capability' grep -qF "'setcap cap_perfmon,cap_syslog+ep $here/bin/er_kernel'" said
check 'or the setting' grep -qF "$paranoid to -1 (it is 2)" said
is "$(wc -l <said) $(ls -A place)" '1 ' 'one sentence, and no experiment'
is "$(tries ,+perfmon)" "$recording" 'a user with CAP_PERFMON: it is'
check 'without names, which is said' grep -q 'functions of the kernel have no names: run .setcap' said
check 'the recording can be read' er_print -functions place/k.er
is "$(tries ,+perfmon,+syslog)" "$recording" 'a user with CAP_PERFMON and CAP_SYSLOG: it is'
is "$(grep -c warning said)" 0 'without a warning'
check 'and with names' has_names
echo 2 >"$restrict"
is "$(tries ,+perfmon,+syslog)" "$recording" 'the same with kptr_restrict 2'
check 'the cure is that setting' grep -qF "set $restrict to 1 as root (it is 2)" said

# Processes of the user alone, if processes are asked for
list() { # EXPERIMENT: "inclusive function" of each
	er_print -limit 100000 -metrics i.totalcpu:name -functions "$1" 2>/dev/null | awk '/<Total>/ { on = 1 } on { print $1, $2 }'
}
# own PARANOID WORDS: recorded with -F; and what of it there is in the kernel
own() {
	echo "$1" >"$paranoid"
	echo 0 >"$restrict"
	cp bin/deep bin/mine$$
	"$here/bin/deep" 300 more &
	other=$!
	setpriv --reuid=65534 --regid=65534 --clear-groups "$here/bin/mine$$" 300 more &
	mine=$!
	is "$(load="$here/bin/deep 1 more" && tries '' -p hi -F on)" "0 er_kernel: warning: $2" \
		"a user, perf_event_paranoid $1, -F on: processes of the user"
	check 'the cure is named' grep -qF "$paranoid to -1 (it is $1)" said
	is "$(wc -l <said)" 3 'in one sentence'
	descendant=$(echo place/k.er/_deep_PID_*.1.er)
	list "$descendant" >rows
	# shellcheck disable=SC2016 # of awk
	check 'the load, for as long as it ran' awk '$2 == "<Total>" { all = $1 } $2 == "main" { it = $1 }
		END { exit !(all > .7 && all < 1.2 && it > .95 * all) }' rows || sed 's/^/# /' rows
	check 'one that ran before' [ -d place/k.er/_mine$$_PID_$mine.1.er ]
	is "$(find place/k.er -name "_*_PID_$other.*")" '' 'but none of root'
	is "$(tries '' -p hi -F "=mine.*" | cut -c 1-20)" '3 er_kernel: warning' 'by a pattern'
	check 'it is there' [ -d place/k.er/_mine$$_PID_$mine.1.er ]
	is "$(load="$here/bin/zeros 1" && tries '' -p hi -F on | cut -c 1-20)" '3 er_kernel: warning' 'a load in the kernel'
	er_print -limit 100000 -metrics i.kcpu:name -functions place/k.er 2>/dev/null |
		awk '$2 ~ /^zeros_PID_/ { it = $1 } END { print (it > .7 && it < 1.3) }' >in_kernel
	kill $other $mine
	wait $other $mine 2>/dev/null
}
own 2 'recording only your own processes, and n'
is "$(cat in_kernel)" 0 'which is not recorded there'
own 1 'recording only your own processes: permi'
is "$(cat in_kernel)" 1 'which is recorded there'
echo 0 >"$restrict"
echo 1 >"$paranoid"
is "$(tries '')" "$refused" 'a user, perf_event_paranoid 1: it is not recorded'
for setting in 0 -1; do
	echo $setting >"$paranoid"
	is "$(tries '')" "$recording" "a user, perf_event_paranoid $setting: it is"
	check 'with names' has_names
	is "$(load="$here/bin/deep 0.5 more" && tries '' -F on)" "0${recording#3}" 'with user processes as well'
	check 'one is the load' sh -c 'ls place/k.er | grep -q ^_deep_PID_'
done
echo 2 >"$paranoid"
if setcap cap_perfmon,cap_syslog+ep bin/er_kernel 2>/dev/null &&
	as ,+perfmon,+syslog true 2>/dev/null; then
	echo 1 >"$restrict"
	rm -rf place/k.er
	(cd place && setpriv --reuid=65534 --regid=65534 --clear-groups "$here/bin/er_kernel" -q 0 -F off -o k.er "$here/bin/zeros" 0.3) >said 2>&1
	is "$? $(sed 1q said)" "$recording" 'a file with capabilities: any user may'
	check 'with names' has_names
	(cd place && setpriv --reuid=65534 --regid=65534 --clear-groups "$here/bin/er_kernel" -q 0 -o load.er \
		sh -c 'grep CapEff /proc/self/status') >said 2>&1
	check 'the load does not get them' grep -q 'CapEff:.0*$' said
else
	skip 'files here have no capabilities' 'a file with capabilities: any user may'
fi
done_testing
