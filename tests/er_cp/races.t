#!/bin/sh
# Several commands that replace one experiment concurrently all succeed. The name always has the whole result
# of one of them, and nothing else is left.
# shellcheck disable=SC2016 # what race is given is for its eval
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

# The machine decides in which order they run: RACES=1000 tries longer.
rounds=${RACES:-4}
others='one two three'
if memory=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null); then
	trap 'rm -rf "$memory"' EXIT
fi

for name in $others; do
	make_experiment "$name.er"
	echo "$name" >"$name.er/notes"
	mkdir "$name"
	cp -a "$name.er" "$name/target.er"
	er_export -o "$name.tar.zst" "$name/target.er"
	rm -r "$name"
done

# is_one NAME.er: it equals one of the three, which its notes name.
is_one() {
	diff -r "$(cat "$1/notes").er" "$1"
}

# race TEXT COMMAND PREPARE: run the command for each of the three concurrently, with its $name; before that,
# PREPARE for each.
race() {
	text=$1
	command=$2
	prepare=$3
	failed=0
	for round in $(seq "$rounds"); do
		rm -rf target.er
		[ $((round % 2)) = 0 ] || cp -a one.er target.er
		pids=
		for name in $others; do
			eval "$prepare"
		done
		for name in $others; do
			eval "$command" 2>>messages &
			pids="$pids $!"
		done
		for pid in $pids; do
			wait "$pid" || failed=$((failed + 1))
		done
		is_one target.er >&2 && [ -z "$(hidden .)" ] || failed=$((failed + 1))
		rm -rf target.er
	done
	sed 's/^/# /' messages
	is "$failed$(cat messages)" 0 "$text"
	: >messages
}

race 'er_cp -f' 'er_cp -f $name.er target.er' :
race 'er_cp -f, not waiting for the disk' 'er_cp -f --no-sync $name.er target.er' :
race 'er_mv -f' 'er_mv -f $name.moved.er target.er' 'cp -a $name.er $name.moved.er'
race 'er_import -f' 'er_import -f $name.tar.zst' :
if [ -n "$memory" ]; then
	race 'er_mv -f from another file system' 'er_mv -f $memory/$name.er target.er' \
		'cp -a $name.er $memory/'
else
	skip 'there is no second file system at /dev/shm' 'between file systems'
fi

# A command that does not replace may come too late, but then it says so, and the winner is whole.
race 'all concurrently' 'case $name in
	one) er_cp -f one.er target.er ;;
	two) er_mv -f two.moved.er target.er ;;
	three) er_import -f three.tar.zst ;;
	esac' 'rm -rf two.moved.er; cp -a two.er two.moved.er'

failed=0
for round in $(seq "$rounds"); do
	rm -rf target.er
	er_cp one.er target.er 2>first &
	er_cp two.er target.er 2>second
	second=$?
	wait $!
	first=$?
	[ $((first + second)) -le 1 ] && is_one target.er >&2 && [ -z "$(hidden .)" ] &&
		[ "$(cat first second | grep -vc "cannot create 'target.er': File exists")" = 0 ] ||
		failed=$((failed + 1))
done
is $failed 0 'without -f one of two wins'
done_testing
