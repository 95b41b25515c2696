#!/bin/sh
# Counters that know their instruction: it replaces the leaf.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/readers.sh
. "$TOP/tests/lib/readers.sh"

build_shape shape
SHAPE=$PWD/shape "$TESTDIR/make-counters" counted.er || exit

rows() { # COUNTER: what it is not 0 for
	er_print -metrics "ei.$1" -sort "e.$1" -functions counted.er |
		awk '/^ *[0-9]+ +[0-9]+ / && $2 > 0 { print $3, $1, $2 }' | tr '\n' ','
}

precise='<Total> 1111111 1111111,top_one 1000000 1000000,<Unknown> 10000 10000,burn 1000 1000,leaf_b 100 100,leaf_a 11 11,main 0 11111,middle 0 111,'
others='<Total> 1111111 1111111,main 1000000 1011111,leaf_a 10111 10111,middle 1000 1111,'
is "$(rows loads)" "$precise" "an instruction replaces the leaf"
is "$(rows stores)" "$precise" "so does the one in front of it"
is "$(rows guesses)" "$others" "one that is guessed does not"
is "$(rows misses)" "$others" "nor does one of a counter that says nothing of it"
if command -v gp-display-text >/dev/null; then
	for counter in loads stores guesses misses; do
		for list in functions callers-callees; do
			same_output "$counter, $list" -metrics "ei.$counter" -$list counted.er
		done
	done
	same_output "the list of metrics" -metric_list counted.er
	same_output "all counters" -metrics ei.%hwc -functions -callers-callees counted.er
	same_output "a function" -fsingle leaf_b -csingle leaf_b counted.er
else
	skip "gprofng is not there" "gprofng's reader"
fi
done_testing
