#!/bin/sh
# At whichever call er_mv is killed or meets an error, the source is whole until the target is, and the same
# command run again completes the move.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/faults.sh
. "$TOP/tests/lib/faults.sh"

make_experiment original.er
list_tree original.er >expected

is_whole() {
	list_tree "$1" | diff expected -
}

prepare() {
	rm -rf a.er "$other/b.er"
	cp -a original.er a.er
}

holds() {
	[ ! -e "$other/b.er" ] || is_whole "$other/b.er" || return 1
	[ ! -e a.er ] || is_whole a.er || return 1
	if [ ! -e a.er ] && [ ! -e "$other/b.er" ]; then
		echo 'the experiment is gone'
		return 1
	fi
	if [ "$1" = 0 ] && [ -e a.er ]; then
		echo 'status 0, but the source is there'
		return 1
	fi
	if [ -e a.er ]; then
		er_mv a.er "$other/b.er" || return 1
	else
		er_rm a.er 2>/dev/null # finishes the removal of the source
	fi
	is_whole "$other/b.er" && [ ! -e a.er ] && [ -z "$(hidden .)$(hidden "$other")" ]
}

mkdir near
other=near
sweep_all 'renamed, at one of the names:' 20 er_mv a.er near/b.er

other=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null) || other=
if [ -n "$other" ] && [ "$(stat -c %d "$other")" != "$(stat -c %d .)" ]; then
	trap 'rm -rf "$other"' EXIT
	sweep_all 'between file systems, whole here or there:' 50 er_mv a.er "$other/b.er"
else
	skip 'there is no second file system at /dev/shm' 'moves between file systems'
fi

done_sweeping
