#!/bin/sh
# Statically linked programs are sampled from outside, and do not notice.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if ! ${CC:-cc} -static -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -D_GNU_SOURCE -pthread -o sampled \
	"$TESTDIR/programs/sampled.c" 2>/dev/null; then
	skip "no static libc" "static programs"
	done_testing
fi
starter=$programs/sampled
if ! "$starter" has_events; then
	skip "events of the kernel are not available" "static programs"
	done_testing
fi
parameters='p:10007;a:off;'

descendants() {
	find recorded.er -maxdepth 1 -name '_*.er' -printf '%f\n' | sort -V | tr '\n' ' '
}

# The inclusive CPU time of a function in one experiment.
inclusive() { # EXPERIMENT FUNCTION
	er_print -functions "$1" | awk -v name="$2" '$NF == name { t = $3 } END { print t + 0 }'
}

# After the founder has become the static program, no process waits for its sampler.
closed() { # EXPERIMENT
	for _ in $(seq 50); do
		grep -aq 'kind="exit"' "$1/log.xml" 2>/dev/null && return 0
		sleep .1
	done
	return 1
}

# is_near A B PERCENT
is_near() {
	awk -v a="$1" -v b="$2" -v p="$3" \
		'BEGIN { d = 100 * (a - b) / (b + 1e-9); exit !(d <= p && d >= -p) }'
}

# attributed NAME EXPERIMENT PERCENT: compares the time printed by the program with that in its experiment. On
# a busy host the event of a virtual machine counts up to a fifteenth more than the kernel's CPU time, as perf
# stat shows.
attributed() {
	attributed_used=$(sed -n 's/^used //p' recorded.out | head -n 1)
	attributed_seen=$(inclusive "$2" '<Total>')
	awk -v s="$attributed_seen" -v u="$attributed_used" -v p="$3" \
		'BEGIN { d = 100 * (s - u) / (u + 1e-9); exit !(d >= -p && d <= p + 8) }'
	ok $? "$1: $attributed_seen of $attributed_used s, within $3 % plus the share of the host"
}

# ---- started in all ways ----

started() { # NAME DESCENDANTS EXPERIMENT COMMAND...
	started_name=$1
	started_names=$2
	started_experiment=recorded.er/$3
	shift 3
	record recorded.er "$parameters" "$@" >recorded.out 2>recorded.err
	check "$started_name: no message" test ! -s recorded.err
	is "$(descendants)" "$started_names" "$started_name: descendants"
	closed "$started_experiment"
	attributed "$started_name" "$started_experiment" 10
	started_one=$(inclusive "$started_experiment" one_quarter)
	started_three=$(inclusive "$started_experiment" three_quarters)
	is_near "$started_three" "$(awk -v a="$started_one" 'BEGIN { print 3 * a }')" 25
	ok $? "$started_name: $started_one s to $started_three s"
	check "$started_name: the reader has no complaint" is_clean recorded.er
}

started "a shell that forks" "_f1.er _f1_x1.er " _f1_x1.er bash -c './sampled shares .8; :'
# Without _fini, in case a sample hits it: gprofng finds no function outside .text.
for reader in er_print gp-display-text; do
	$reader -functions recorded.er/_f1_x1.er 2>/dev/null |
		grep -v -e ' _fini$' -e ' no functions found$' >$reader.txt
done
check "the program: -functions has something" grep -q ' <Total>$' er_print.txt
check "the program: -functions is equal to the character" diff gp-display-text.txt er_print.txt
check "the log says how it is recorded" grep -aq 'seen from outside' recorded.er/_f1_x1.er/log.xml
check "and that it is followed" grep -aq 'lineage="_f1_x1" follow="1"' recorded.er/_f1.er/log.xml
check "the map has the program's build-id" \
	grep -aq "buildid=\"$(readelf -n sampled | sed -n 's/^ *Build ID: //p')\"" recorded.er/_f1_x1.er/map.xml
is_near "$(inclusive recorded.er/_f1_x1.er main)" "$(inclusive recorded.er/_f1_x1.er '<Total>')" 10
ok $? "stacks reach main"
started vfork "_f1_x1.er " _f1_x1.er "$starter" vforks ./sampled shares .8
started posix_spawn "_c1.er _c2.er " _c1.er "$starter" spawns ./sampled shares .8
started system "_c1.er _c1_f1_x1.er " _c1_f1_x1.er "$starter" systems ./sampled shares .8
started "an exec" "_x1.er " _x1.er bash -c 'exec ./sampled shares .8'
started "an exec of another thread" "_x1.er " _x1.er "$starter" thread_executes ./sampled shares .8

record recorded.er "$parameters" bash -c './sampled threads .2; :' >recorded.out
attributed "four threads" recorded.er/_f1_x1.er 10
record recorded.er 'p:997;a:off;' bash -c './sampled shares .4; :' >recorded.out
attributed "a period of 1 ms" recorded.er/_f1_x1.er 10
record recorded.er 'p:100;a:off;' bash -c './sampled shares .4; :' >recorded.out
attributed "a period of .1 ms" recorded.er/_f1_x1.er 10
record recorded.er "$parameters" bash -c './sampled calls .5; :' >recorded.out
attributed "in the kernel" recorded.er/_f1_x1.er 10

# Half of the processes that use half a period end before a sample.
record recorded.er "$parameters" bash -c 'seq 60 | while read -r _; do ./sampled shares .005; done' |
	awk '/^used/ { used += $2 } END { print "used", used }' >recorded.out
short_seen=$(er_print -functions recorded.er/_*_x1.er | awk '/<Total>/ { print $3 + 0 }')
# Their exec, which they do not count themselves, takes long where others use the caches.
awk -v a="$short_seen" -v b="$(sed -n 's/^used //p' recorded.out)" 'BEGIN { exit !(a > .25 * b && a < 2.2 * b) }'
ok $? "60 short ones: $short_seen s, $(cat recorded.out) s"

# ---- invisible to the program ----

for situation in forks vforks spawns spawns_with; do
	as_alone "$situation" "$starter" $situation "$PWD/sampled" looks
done
as_alone systems "$starter" systems "$PWD/sampled" looks
as_alone "an empty environment" env -i bash -c './sampled looks; exec env -i ./sampled looks'
as_alone spawns_in_vain "$starter" spawns_in_vain "$PWD/sampled" looks
check "spawns_in_vain: no sampler is left" sh -c "! pgrep -f 'erkit-sampler [0-9]+ $PWD/sampled'"
as_alone "by name" env PATH="$PWD:$PATH" "$starter" spawns sampled looks

# When the founder's process is gone, whatever it has become, everything is written.
unfinished=0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	record recorded.er "$parameters" env bash -c './sampled looks; :' >/dev/null
	grep -aq 'kind="exit"' recorded.er/_x1_f1_x1.er/log.xml || unfinished=$((unfinished + 1))
	sleep .05
done
is $unfinished 0 "the end waits for samplers"

# ---- its descendants ----

record recorded.er "$parameters" bash -c './sampled makes; :'
is "$(descendants)" "_f1.er _f1_x1.er _f1_x1_f1.er _f1_x1_f2_x1.er " "makes: descendants" ||
	note "$(ls recorded.er)"
made=$(inclusive recorded.er/_f1_x1_f1.er '<Total>')
is_near "$made" .2 25
ok $? "makes: its child is recorded: $made of .2 s"
check "makes: and so is the program it executed, with its own map" \
	grep -aq 'name="/usr/bin/dash"\|name="/.*sh"' recorded.er/_f1_x1_f2_x1.er/map.xml
check "makes: the reader has no complaint" is_clean recorded.er

# ---- its end ----

record recorded.er "$parameters" bash -c './sampled stays .4 >ready & while [ ! -s ready ]; do sleep .02; done
	kill -9 $!; wait $!; echo $?' >recorded.out 2>/dev/null
is "$(cat recorded.out)" 137 "killed: same status as alone"
cp ready recorded.out
attributed killed recorded.er/_f1_x1.er 10
check "killed: it is closed" grep -aq 'kind="exit"' recorded.er/_f1_x1.er/log.xml

record recorded.er 'p:10007;a:on;P:'"$BUILD/bin/er_archive;" "$starter" leaves ./sampled shares .6 >recorded.out
for _ in $(seq 50); do
	[ -e recorded.er/_f1_x1.er/archive.log ] && break
	sleep .1
done
attributed "it outlives the founder" recorded.er/_f1_x1.er 10
check "and archives itself" test -e recorded.er/_f1_x1.er/archive.log
record recorded.er 'p:10007;a:on;P:'"$BUILD/bin/er_archive;" bash -c '/bin/true; exec ./sampled shares .1' >recorded.out
for _ in $(seq 50); do
	[ -e recorded.er/archives/manifest ] && break
	sleep .1
done
check "it has become the founder: everything is archived" grep -q "$PWD/sampled" recorded.er/archives/manifest
check "with the objects of the earlier image" grep -q '/true' recorded.er/archives/manifest

# ---- not recorded ----

# recorded_in PARAMETERS COMMAND...: record in an environment of its own, so that a filter is there first.
recorded_in() {
	recorded_parameters=$1
	shift
	rm -rf recorded.er && mkdir recorded.er || return
	env SP_COLLECTOR_EXPNAME="$PWD/recorded.er" SP_COLLECTOR_PARAMS="$recorded_parameters" \
		SP_COLLECTOR_FOLLOW_SPEC='^(sampled)$' SP_COLLECTOR_PRELOAD="$library" "$@"
}

not_recorded() { # NAME
	ok $? "$1: exit status"
	is "$(descendants | tr ' ' '\n' | grep -c x1)" 0 "$1: it leaves nothing"
}
shell='./sampled shares .1 >/dev/null; [ $? = 7 ]'
recorded_in "$parameters" LD_PRELOAD="$library" bash -c "$shell"
not_recorded "-F off"
recorded_in "F:3;a:off;" LD_PRELOAD="$library" bash -c "$shell"
not_recorded "without a clock"
recorded_in "F:7;$parameters" LD_PRELOAD="$library" bash -c "$shell"
is "$?:$(descendants)" "0:_f1_x1.er " "-F =sampled: only that"

recorded_in "F:3;$parameters" "$starter" without_events env LD_PRELOAD="$library" bash -c "$shell"
not_recorded "without the kernel's events"
check "the log names the gap and why" grep -aq 'ec="13">statically linked' recorded.er/_f1.er/log.xml
recorded_in "F:3;$parameters" "$starter" without_events env LD_PRELOAD="$library" \
	"$starter" vforks ./sampled shares .1 >/dev/null
not_recorded "in a child of vfork"
check "the warnings name it" grep -aq 'ec="13">_f1_x1: statically linked' recorded.er/warnings.xml
recorded_in "F:3;$parameters" "$starter" without_events env LD_PRELOAD="$library" \
	"$starter" spawns ./sampled shares .1 >/dev/null
not_recorded "spawned"
check "the log names it" grep -aq 'ec="13">statically linked' recorded.er/log.xml
is "$(er_print -header recorded.er | grep -c 'statically linked')" 2 "and the reader shows it"

# ---- a limit of the program, which applies to the sampler, too ----

record recorded.er "$parameters" bash -c '(ulimit -f 1; ./sampled shares .1 >/dev/null); echo $?' >recorded.out
is "$(cat recorded.out)" 7 "no room for files: exit status"
is "$(descendants | grep -c x1)" 0 "no room for files: no partial files"
check "no room for files: the warnings name it" grep -q '>_f1_f1_x1.er<' recorded.er/warnings.xml

# ---- not permitted to see the kernel ----

if setpriv --bounding-set=-all true 2>/dev/null && [ "$(id -u)" = 0 ]; then
	recorded_in "F:3;$parameters" LD_PRELOAD="$library" setpriv --bounding-set=-all \
		bash -c './sampled calls .5; :' >recorded.out
	attributed "without a view of the kernel" recorded.er/_x1_f1_x1.er 10
	recorded_in "F:3;$parameters" LD_PRELOAD="$library" setpriv --bounding-set=-all \
		bash -c './sampled shares .8; :' >recorded.out
	attributed "little of it there" recorded.er/_x1_f1_x1.er 10
	check "the log says so" grep -aq 'without its own time' recorded.er/_x1_f1_x1.er/log.xml
else
	skip "only root can give up privileges" "without a view of the kernel"
fi

done_testing
