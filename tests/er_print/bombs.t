#!/bin/sh
# Call stacks made to keep readers busy for hours: what is too much is truncated, with a warning. The time limit is far
# above what is needed, and far below what it used to take.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# bounded WARNING COMMAND...: it ends within a minute, with that warning.
bounded() {
	bounded_warning=$1
	shift
	timeout -s KILL 60 "$@" >out 2>err
	bounded_status=$?
	check "$*: it ends" [ $bounded_status -le 1 ]
	if [ -n "$bounded_warning" ]; then
		check "$*: which is truncated" grep -qF "data.frameinfo: $bounded_warning: truncated" err
	else
		is "$(grep -v "not described" err)" '' "$*: nothing is truncated"
	fi
}

# all NAME WARNING
all() {
	"$TESTDIR/make-bombs" "$1" || exit
	bounded "$2" er_print -functions -callers-callees -statistics "$1.er"
	bounded "$2" er_archive --check -a usedcopy "$1.er"
}

all circle 'a stack is too deep'
all deep 'a stack is too deep'
er_print -functions deep.er >out 2>err
is "$(sed -n 's/^ *0\. *0\. *\([0-9.]* *[0-9.]*\) *<Truncated-stack>$/\1/p' out)" '50.000 100.00' \
	'truncated stacks have a row of their own'
all fan 'the stacks are too long'
all collide ''
bounded '' er_export --text -o collide.txt collide.er
done_testing
