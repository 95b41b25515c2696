#!/bin/sh
# Cleaners beside other cleaners of the same directory, recorders, copies, and users who remove files.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

trap 'kill $background 2>/dev/null; wait 2>/dev/null' EXIT
background=

# make_runs NUMBER: make experiments in runs and runs/sub that ended one after the other.
make_runs() {
	rm -rf runs
	mkdir -p runs/sub
	n=1
	while [ "$n" -le "$1" ]; do
		for name in runs/test.$n.er runs/sub/test.$n.er; do
			mkdir "$name" "$name/_f1.er"
			{
				echo '<experiment version="12.4"><process pid="7"/>'
				echo "<event kind=\"run\" tstamp=\"5.0\" time=\"$((1600000000 + n * 60))\"/>"
				echo '<event kind="exit" tstamp="10.0"/></experiment>'
			} >"$name/log.xml"
			cp "$name/log.xml" "$name/_f1.er"
			: >"$name/profile"
		done
		n=$((n + 1))
	done
}

# left: list the remaining experiments, and leftovers with hidden names.
left() {
	(cd runs && find . \( -name '*.er' -o -name '.*.er.*' \) -prune -printf '%P\n') | LC_ALL=C sort | tr '\n' ' '
}

bad=0
for round in 1 2 3 4 5 6; do
	make_runs 12
	er_rm -r --keep 2 runs 2>err.1 &
	first=$!
	er_rm -r --keep 2 runs 2>err.2 &
	second=$!
	er_rm -r --keep 2 runs/sub runs 2>err.3
	three=$?
	wait $first || three=$?
	wait $second || three=$?
	if [ "$three $(left)" != '0 sub/test.11.er sub/test.12.er test.11.er test.12.er ' ]; then
		bad=$((bad + 1))
		note "round $round: $three $(left)$(cat err.1 err.2 err.3)"
	fi
done
is $bad 0 'three concurrent cleaners remove the same as one, and none fails'

# Cleaners of different directories do not share a lock.
bad=0
for round in 1 2 3 4 5 6; do
	make_runs 12
	size=$(du -s -B1 runs/test.1.er | cut -f 1)
	er_rm -r --max-total $((size * 5)) runs 2>err.1 &
	first=$!
	er_rm -r --max-total $((size * 3)) runs/sub 2>err.2
	two=$?
	wait $first || two=$?
	if [ $two != 0 ] || [ ! -e runs/test.12.er ] || [ ! -e runs/sub/test.12.er ] ||
		[ "$(left | wc -w)" -lt 3 ] || [ -n "$(hidden runs)$(hidden runs/sub)" ]; then
		bad=$((bad + 1))
		note "round $round: $two $(left)$(cat err.1 err.2)"
	fi
done
is $bad 0 'cleaners of overlapping directories do not remove too much either'

bad=0
for round in 1 2 3 4 5 6; do
	make_runs 12
	er_rm -r runs 2>err.1 &
	first=$!
	rm -rf runs/sub runs/test.1?.er runs/test.5.er 2>/dev/null
	wait $first
	status=$?
	# rm may have entered an experiment before er_rm did. Then its files are gone, and no experiment is
	# whole.
	if [ $status != 0 ] || [ -n "$(hidden runs)" ]; then
		bad=$((bad + 1))
		note "round $round: $status $(left)$(cat err.1)"
	fi
done
is $bad 0 'removals by others are not a failure'

# ---- the lock ----

if command -v flock >/dev/null; then
	lock=runs/.er_rm.$(id -u).lock
	hold_lock() {
		(umask 077 && : >"$lock")
		flock -F "$lock" sleep "$1" &
		background=$!
		while flock -n "$lock" true; do :; done
	}
	make_runs 1
	hold_lock 1
	er_rm -r runs
	is "$? $(left) $(hidden runs)" '0  ' 'a second cleaner waits'
	make_runs 1
	hold_lock 60
	er_rm -r runs 2>err
	is "$?-$(cat err)-$(left)" "1-er_rm: 'runs' is locked: another er_rm is cleaning it-sub/test.1.er test.1.er " \
		'but not forever, and then removes nothing'
	er_rm runs/test.1.er
	is $? 0 'operands given by name need no lock'
	kill $background
	background=
else
	skip 'flock(1) is not installed' 'the lock'
fi
if fault -e ENOLCK -s flock 0 true 2>/dev/null; then
	make_runs 1
	ASAN_OPTIONS=detect_leaks=0 fault -e ENOLCK -s flock 1 er_rm -r runs 2>err
	is "$?-$(cat err)-$(left)$(hidden runs)" '0--' 'without locks, no lock file is left'
else
	skip 'no system call can be made to fail here' 'a file system without locks'
fi

# ---- recorders ----

# live NAME.er: make an experiment recorded by this process.
live() {
	mkdir -p "$1"
	{
		echo '<experiment version="12.4">'
		echo "<system hostname=\"$(uname -n)\"/><process pid=\"$$\"/>"
		echo "<event kind=\"run\" tstamp=\"5.0\" time=\"$(date +%s)\"/>"
	} >"$1/log.xml"
	find "$1" -exec touch -d '2 days ago' {} +
}

make_runs 1
live runs/live.er
er_rm -r runs 2>err
is "$?-$(cat err)-$(left)" "0-er_rm: warning: 'runs/live.er' is still being recorded: skipped-live.er " \
	'an experiment still being recorded is kept, with a warning'
er_rm -rq runs 2>err
is "$?-$(cat err)-$(left)" '0--live.er ' 'or without'
er_rm -rn runs >out 2>err
is "$?-$(cat out)-$(cat err)" "0--er_rm: warning: 'runs/live.er' is still being recorded: skipped" '-n says that, too'
er_rm -r --incomplete runs 2>err
is "$?-$(cat err)-$(left)" '0--live.er ' 'it is not incomplete'
er_rm --newer-than 99 runs/live.er 2>err
is "$?-$(cat err)-$(left)" "1-er_rm: 'runs/live.er' is still being recorded-live.er " 'given by name, it is an error'
er_rm -rf runs
is "$?-$(left)" '0-' 'unless -f is given'

mkdir runs/starting.er
er_rm -r --incomplete runs
is "$? $(left)" '0 starting.er ' 'a recorder that just made its directory is not incomplete'
er_rm -r runs 2>err
is "$?-$(cat err)-$(left)" "0-er_rm: warning: 'runs/starting.er' may still be starting: it is new and has no end: skipped-starting.er " \
	'nor is it removed otherwise'
touch -d '2 minutes ago' runs/starting.er
er_rm -r --incomplete runs
is "$? $(left)" '0 ' 'later it is'
# After an exec the next image makes a descendant.
mkdir -p runs/exec.er
{
	echo '<experiment version="12.4"><process pid="7"/>'
	echo "<event kind=\"run\" tstamp=\"5.0\" time=\"$(date +%s)\"/>"
	echo '<event kind="exec_start" tstamp="0.1" variant="execve" lineage="_x1"/></experiment>'
} >runs/exec.er/log.xml
er_rm -rq runs
is "$? $(left)" '0 exec.er ' 'an exec is not an end while the next image may be starting'

# The program checks whether its experiment was there to the end.
rm -rf runs
mkdir runs
while :; do
	er_rm -rq runs 2>>errors || echo failed >>errors
done &
background=$!
bad=0
n=1
while [ $n -le 5 ]; do
	# shellcheck disable=SC2016 # the recorded shell's
	collect -o "runs/live.$n.er" sh -c '(sleep 0.2; :); test -s "$1/log.xml" && exec sh -c "sleep 0.2; test -s $1/log.xml"' \
		sh "runs/live.$n.er" >out 2>&1 || {
		bad=$((bad + 1))
		sed 's/^/# /' out
	}
	n=$((n + 1))
done
kill $background
wait $background 2>/dev/null
background=
is "$bad $(cat errors)" '0 ' 'a cleaner that runs all the time takes no recording away' 

# ---- copies ----

rm -rf runs source.er
mkdir -p runs source.er
n=1
while [ $n -le 400 ]; do
	mkdir source.er/_f$n.er
	: >source.er/_f$n.er/log.xml
	n=$((n + 1))
done
head -c 20000000 /dev/urandom >source.er/profile
# begun: a hidden name in runs has something below it.
begun() {
	[ -n "$(find runs -mindepth 2 -path 'runs/.*' -print -quit 2>/dev/null)" ]
}
# runs PROCESS: still running; a signal that was sent has not necessarily arrived.
runs() {
	sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | grep -q '^[^TZ]'
}
# stopped: in the middle of copying. An empty stage may not be locked yet: a cleaner removes that, and er_cp
# begins again.
stopped() {
	tries=0
	while [ $tries -lt 20 ]; do
		rm -rf runs/copy.er runs/.copy.er.*
		er_cp --no-sync source.er runs/copy.er &
		background=$!
		while kill -0 $background 2>/dev/null && ! begun; do :; done
		kill -STOP $background 2>/dev/null
		while runs $background; do :; done
		[ -n "$(hidden runs)" ] && [ ! -e runs/copy.er ] && return
		kill -KILL $background
		wait $background 2>/dev/null
		tries=$((tries + 1))
	done
	return 1
}
if stopped; then
	er_rm -r runs
	is "$? $(hidden runs | wc -l)" '0 1' 'a copy that is being made is left alone'
	kill -CONT $background
	wait $background
	is "$? $(left)" '0 copy.er ' 'and comes to its end'
	stopped
	kill -KILL $background
	wait $background 2>/dev/null
	name=$(hidden runs)
	er_rm -rn runs >out
	is "$? $(cat out) $(hidden runs)" \
		"0 would remove '$name' (left over from an interrupted operation) $name" \
		'-n lists leftovers of a dead one'
	er_rm -rv runs >out
	is "$? $(cat out) $(hidden runs)" "0 removed '$name' (left over from an interrupted operation) " \
		'which are removed without -n'
else
	skip 'copying is too fast here' 'copies'
fi
background=
# Only leftovers of ours are removed, not another user's directory with such a name.
mkdir runs/.notes.abcdef.part runs/.a.er.abcde.del runs/.b.er.abcdefg.part
er_rm -r runs
is "$? $(find runs -mindepth 1 | wc -l)" '0 3' 'similar names are kept'
# A directory with such a name is kept, too, if its contents do not belong to an experiment.
mkdir -p runs/.tt.er.abcdef.del/d runs/.tt.er.abcdef.part
echo vital >runs/.tt.er.abcdef.del/d/vital
echo thesis >runs/.tt.er.abcdef.part/thesis.tex
er_rm -r runs
er_rm -f runs/tt.er
is "$(cat runs/.tt.er.abcdef.del/d/vital runs/.tt.er.abcdef.part/thesis.tex)" 'vital
thesis' 'directories with other contents are kept, whatever their name'

done_testing
