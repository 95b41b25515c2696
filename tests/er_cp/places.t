#!/bin/sh
# Copies and moves, also between file systems, are equal to the original in every byte, time and mode,
# and holes stay holes.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

other=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null) || other=
trap '[ -z "$other" ] || rm -rf "$other"' EXIT
has_other=false
[ -n "$other" ] && [ "$(stat -c %d "$other")" != "$(stat -c %d .)" ] && has_other=true

make_experiment test.1.er
cp -a test.1.er original.er

er_cp test.1.er copy.er
ok $? 'er_cp copies'
check 'the copy is equal' same_tree original.er copy.er
er_cp --verify test.1.er verified.er
check 'so is a verified one' same_tree original.er verified.er
ER_THREADS=1 er_cp test.1.er single.er
check 'and one made by a single thread' same_tree original.er single.er
ER_THREADS=8 er_cp test.1.er many.er
check 'and one made by many' same_tree original.er many.er
(umask 077 && er_cp test.1.er masked.er)
check 'and one made under a strict umask' same_tree original.er masked.er
check 'the source is unchanged' same_tree original.er test.1.er
[ "$(stat -c %b copy.er/heaptrace)" -le 64 ]
ok $? 'holes stay holes'

if $has_other; then
	er_cp --verify test.1.er "$other/"
	check 'a copy on another file system is equal' same_tree original.er "$other/test.1.er"
	er_mv copy.er "$other/moved.er"
	check 'so is an experiment moved there' same_tree original.er "$other/moved.er"
	[ ! -e copy.er ]
	ok $? 'which is gone here'
	er_mv "$other/moved.er" back.er
	check 'and moved back' same_tree original.er back.er
	[ ! -e "$other/moved.er" ]
	ok $? 'which is gone there'

	# Interrupted between the new name and the removal of the old one.
	cp -a back.er "$other/back.er"
	er_mv back.er "$other" 2>err
	is $? 0 'a move that only lacked the removal is finished'
	grep -q 'interrupted move' err && [ ! -e back.er ]
	ok $? 'and says so'
	echo more >>"$other/back.er/notes"
	cp -a original.er back.er
	er_mv back.er "$other" 2>err
	is $? 1 'but another experiment of that name is not mistaken for it'
	[ -e back.er ] && [ "$(tail -1 "$other/back.er/notes")" = more ]
	ok $? 'and both stay'
	er_mv -f back.er "$other"
	check 'unless it is to be replaced' same_tree original.er "$other/back.er"

	# A file system that is too small.
	if [ "$(id -u)" = 0 ] && mkdir "$other/small" &&
		mount -t tmpfs -o size=200k none "$other/small" 2>/dev/null; then
		er_cp test.1.er "$other/small" 2>err
		is "$?-$(ls -A "$other/small")" 1- 'a full disk leaves nothing'
		grep -q 'No space left on device' err
		ok $? 'and is named'
		er_mv test.1.er "$other/small" 2>/dev/null
		is "$?-$(ls -A "$other/small")" 1- 'a move to a full disk leaves nothing there'
		check 'and the source whole' same_tree original.er test.1.er
		umount "$other/small"
	else
		skip 'mounting needs root' 'full disks'
	fi
else
	skip 'there is no second file system at /dev/shm' 'between file systems'
fi

is "$(hidden .)$($has_other && hidden "$other")" '' 'nothing hidden is left'
done_testing
