#!/bin/sh
# Processes made in all ways are followed, named by the call that made them, and not disturbed.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

descendants() {
	find recorded.er -maxdepth 1 -name '_*.er' -printf '%f\n' | sort -V | tr '\n' ' '
}

listed() {
	gp-display-text -experiment_list recorded.er 2>&1 |
		sed -n 's|.*recorded.er/\(_[^ ]*\).*|\1|p' | sort -V | tr '\n' ' '
}

printf 'no program' >garbage
chmod +x garbage

# The shell that is killed in systems does not close its experiment, if a tick has reached it.
# shellcheck disable=SC2317 # called by check
has_no_complaint() { # NAME
	is_clean recorded.er >complaints.txt && return
	[ "$1" != systems ] || sed -i '/experiment was not closed/d' complaints.txt
	! grep . complaints.txt
}

situation() { # NAME SECONDS [DESCENDANTS]
	as_alone "$1" "$programs/processes" "$1" "$PWD/garbage"
	has_seconds "$2" "$1"
	check "$1: the reader has no complaint" has_no_complaint "$1"
	[ $# -lt 3 ] || is "$(descendants)" "$3" "$1: descendants"
	is "$(listed)" "$(descendants)" "$1: the reader lists all of them"
}

situation forks .05 "$(seq 20 | sed 's/.*/_f&.er/' | tr '\n' ' ')"
situation many_forks 0
is "$(descendants | wc -w)" 1000 "many_forks: all are there"
situation fork_with_threads .4 "$(seq 10 | sed 's/.*/_f&.er/' | tr '\n' ' ')"
situation vforks .05 "_f2_x1.er _f3_x1.er "
situation spawns .05 "_c1.er _c2.er _c3.er "
situation systems .02
situation pipes .02
situation raw_forks .03 "_C1.er _f1.er _f2.er "

# told LINEAGE: the log's events of a child, without its process number.
told() { # LINEAGE
	grep -a "lineage=\"$1\"" recorded.er/log.xml | sed 's/.* kind="\([^"]*\)" tstamp="[^"]*" variant="\([^"]*\)".*/\1 \2/' |
		tr '\n' ' '
}
is "$(told _f1)" "desc_start fork desc_started fork " "raw_forks: a fork by syscall() is logged"
is "$(told _C1)" "desc_start clone desc_started clone " "raw_forks: a clone by syscall(), too"
is "$(told _f2)" "desc_start fork desc_started fork " "raw_forks: and _Fork()"
for lineage in _f1 _C1; do
	found=$(share burn recorded.er/$lineage.er)
	ok "$((found < 90))" "raw_forks: $found % of the time of $lineage is at the right place"
done

# These are not noticed before their first event. Their time up to it has a row of its own.
situation unseen_forks .4
is "$(find recorded.er -name '_C?.er' -printf '%f\n' | sort | tr '\n' ' ')" "_C1.er _C2.er _C3.er " \
	"unseen_forks: they are numbered, each once"
for lineage in _C1 _C2 _C3; do
	found=$(share not_sampled_before_first_event recorded.er/$lineage.er)
	ok "$((found < 30 || found > 70))" "unseen_forks: $found % of $lineage is not sampled, 50 expected"
done
# A tick may hit it while it works.
found=$(share create_timer)
ok "$((${found:-0} >= 15))" "unseen_forks: $found % is where the clock is started, below 15"
# Of 0.6 s of processor time: statistics are differences between samples.
found=$(er_print -statistics recorded.er | sed -n 's/^ *User CPU: *\([0-9.]*\).*/\1/p' | head -1)
check "unseen_forks: statistics show $found s of 0.6 s" awk "BEGIN { exit !($found > .35) }"
check "unseen_forks: the log says why" grep -aq 'created by an unseen system call' recorded.er/_C2.er/log.xml

# Half of the processes that use half a period end before they meet a tick.
as_alone short_forks "$programs/short_lives" short_forks
has_seconds .3 short_forks
er_print -functions recorded.er >functions.txt
check "short_forks: their function is named" grep -q ' burn$' functions.txt
# A tick may hit it while it works.
# shellcheck disable=SC2016
check "short_forks: time owed at the end is not charged to our function" awk '
	/<Total>/ { total = $3 } $NF ~ /^(close_clock|collector_end)$/ { ours += $3 }
	END { exit !(total > 0 && ours < .05 * total) }' functions.txt
situation clones .025 "_C1.er "
is "$(told _C1)" "desc_start clone desc_started clone " "clones: the copy is logged"
is "$(told _f1)" "desc_start clone desc_started clone " "clones: the one that shares memory, too"
situation executes .1 "_x3.er "
check "executes: the failure is in the log" grep -aq 'kind="exec_error".*lineage="_x2"' \
	recorded.er/log.xml
situation executes_by_number .06 "_x2.er "
situation executes_at_by_number .06 "_x1.er "

# A file that may not be executed, and a script without its interpreter.
printf 'no program' >forbidden
printf '#!/nowhere/at/all\n' >orphan
chmod +x orphan
as_alone failing "$programs/processes" failing "$PWD/forbidden" "$PWD/orphan"
is "$(descendants)" "_f1_x3.er _f2_x2.er " "failing: all attempts are counted"
is "$(told _f1)" "desc_start vfork desc_started vfork " "failing: a vfork is logged before and after"
is "$(told _f1_x2)$(told _f2_x1)" "exec_error execve exec_error execve " \
	"failing: failures in a child of vfork are logged by its parent"
for i in 1 2 3; do
	is "$(told _x$i)" "exec_start execve exec_error execve " "failing: exec $i is logged"
done
is "$(grep -a exec_error recorded.er/log.xml | sed 's/.* lineage="\(_x.\)".* msg="\([^"]*\)".*/\1 \2/' | tail -3 | tr '\n' ' ')" \
	"_x1 err 2 _x2 err 13 _x3 err 2 " "failing: with the reasons"
situation waits 0 "_f1.er "

as_alone becomes_daemon "$programs/processes" becomes_daemon
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -e recorded.er/_f1.er/overview ] && sleep .2 && break
	sleep .1
done
has_seconds .08 becomes_daemon
check "becomes_daemon: both are closed" is_clean recorded.er

# A name that is taken: the program runs on, and the reader reports it.
rm -rf recorded.er && mkdir -p recorded.er/_f1.er
env SP_COLLECTOR_EXPNAME="$PWD/recorded.er" SP_COLLECTOR_PARAMS='p:1000;F:3;a:off;' \
	SP_COLLECTOR_PRELOAD="$library" LD_PRELOAD="$library" "$programs/processes" waits >out 2>&1
is "$? $(cat out)" "0 first 1 second -1 1" "no directory for a descendant: the program behaves as alone"
check "the reader reports it" grep -q '>_f1.er<' recorded.er/warnings.xml
is "$(find recorded.er -name '.*')" "" "and no part of it is left"

printf '#!/bin/sh\nexec %s child\n' "$programs/processes" >script
chmod +x script
as_alone "a script" ./script
is "$(descendants)" "_x1.er " "a script: descendants"

# -F: only processes that match get a directory.
record_followed() {
	rm -rf recorded.er && mkdir recorded.er
	env SP_COLLECTOR_EXPNAME="$PWD/recorded.er" SP_COLLECTOR_PARAMS="p:1000;$1" \
		SP_COLLECTOR_FOLLOW_SPEC="$2" SP_COLLECTOR_PRELOAD="$library" \
		LD_PRELOAD="$library" sh -c 'true; /bin/true; /bin/false; sh -c "/bin/true; :"; :'
}
record_followed '' ''
is "$(descendants)" "" "-F off: no descendants"
record_followed 'F:7;' '^(true)$'
is "$(descendants | tr ' ' '\n' | grep -c .)" 2 "-F =true: the two of that name"
record_followed 'F:7;' '^(_f2_x1)$'
is "$(descendants)" "_f2_x1.er " "-F =_f2_x1: the one of that lineage"

record_followed 'F:7;' '^(false)$'
is "$(descendants | tr ' ' '\n' | grep -c .)" 1 "-F =false: one"
rm -rf recorded.er && mkdir recorded.er
env SP_COLLECTOR_EXPNAME="$PWD/recorded.er" SP_COLLECTOR_PARAMS='p:1000;F:7;' \
	SP_COLLECTOR_FOLLOW_SPEC='^(false)$' SP_COLLECTOR_PRELOAD="$library" \
	LD_PRELOAD="$library" bash -c '(exec bash -c "(exec /bin/false); (exec /bin/true); :"); :'
is "$(descendants)" "_f1_x1_f1_x1.er " "-F =false: processes in between leave nothing"

# The environment is the program's own.
env >alone.txt
record recorded.er 'p:1000;a:off;' env >recorded.txt
check "the program sees its own environment" cmp alone.txt recorded.txt
LD_PRELOAD=libm.so.6 env >alone.txt
record recorded.er 'p:1000;a:off;' sh -c "LD_PRELOAD=libm.so.6 env" >recorded.txt
check "and its own LD_PRELOAD" cmp alone.txt recorded.txt

# A kill -9 at any time leaves an experiment that the reader accepts. On a busy machine the first kills come
# before the collector has begun, and prove nothing. A process killed between making its directory and its log
# leaves an empty directory, which readers report; it has recorded nothing.
torn=0
begun=0
exec 2>/dev/null
for delay in .01 .03 .05 .08 .1 .13 .17 .2 .3 .4; do
	record recorded.er 'p:1000;a:off;' timeout -s KILL $delay "$programs/threads" busy 2>/dev/null
	grep -q 'kind="run"' recorded.er/log.xml || continue
	begun=$((begun + 1))
	find recorded.er -name '_*.er' -empty -delete
	gp-display-text -functions recorded.er 2>&1 | grep -Eq 'Total|no data' || torn=$((torn + 1))
	gp-display-text -header recorded.er 2>&1 | grep -Eiq 'pars|corrupt|cannot' && torn=$((torn + 1))
done
is $torn 0 "killed at some moment: always an experiment"
ok "$((begun < 3))" "at least three had begun"

done_testing
