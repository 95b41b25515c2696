#!/bin/sh
# Comparisons as gprofng prints them, and those of two builds of a program.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/make-experiments" shape.er second.er || exit
printf '#analyzer experiment group\nshape.er\nsecond.er\n' >both.erg

# gprofng takes the first of several lines of one address, addr2line the last, as we do; source.t compares others.
# same WORDS: both programs print the same tables, but for our marks of differences; called by check
# shellcheck disable=SC2317
same() {
	er_print "$@" 2>/dev/null | sed 's/ \*/ /;s/, line [0-9]* in .*//' >ours
	gp-display-text "$@" 2>/dev/null | sed 's/ \*/ /;s/, line [0-9]* in .*//' >theirs
	diff -w ours theirs
}

if command -v gp-display-text >/dev/null; then
	for mode in on delta ratio; do
		check "$mode: two experiments" same -compare $mode -functions -pcs -callers-callees \
			-csingle middle 1 -calltree shape.er second.er
		check "$mode: a group and two experiments" same -metrics e.totalcpu:i.%totalcpu:name \
			-compare $mode -sort i.totalcpu -functions -callers-callees both.erg shape.er second.er
	done
	check 'one experiment' same -compare on -functions shape.er
else
	skip 'there is no gp-display-text' 'comparisons are as those of gprofng'
fi

# Another build, elsewhere: everything is at another place.
mkdir there
{
	echo 'int more(int n); int more(int n) { return n * 3 + 1; }'
	cat "$TESTDIR/programs/shape.c"
} >there/shape.c
cc -g -o there/shape there/shape.c || exit
(cd there && SHAPE=$PWD/shape "$TESTDIR/make-experiments" shape.er) || exit
er_print -metrics e.totalcpu:name -compare ratio -functions -pcs shape.er there/shape.er >list
is "$(sed -n 's/^[0-9].* x //p' list | grep -cv '^1\.000 ')" 0 'two builds have the same rows'
is "$(grep -c ' burn' list)" 2 'each function and address is listed once'
done_testing
