#!/bin/sh
# The tree of calls, addresses, summaries and fragments of stacks are as gp-display-text prints them.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/make-experiments" shape.er empty.er || exit

# gprofng knows the source file only of some functions, and takes the first of several lines of one address;
# source.t compares others.
same() { # COMMANDS...: on the experiment
	er_print "$@" shape.er 2>errors | sed '/Source File:/d;s/, line [0-9]* in .*//' >ours
	gp-display-text "$@" shape.er 2>/dev/null | sed '/Source File:/d;s/, line [0-9]* in .*//' >theirs
	[ -s theirs ]
	ok $? "$*: gprofng prints something"
	check "$*: the same" diff theirs ours
}

same -calltree
same -limit 4 -calltree
same -metrics e.user:i.system:name -calltree
same -sort name -calltree
same -pcs
same -metrics size:address:e.user:name -pcs
same -fsummary
same -limit 3 -fsummary
same -csingle leaf_a -cprepend middle -cappend burn -crmfirst -crmlast
same -csingle middle -cprepend top_one -cprepend main
same -csingle '<Total>'

# Its title says what is listed; gprofng's says "Objects".
er_print -psummary shape.er | sed 's/^PCs sorted/Objects sorted/;/Source File:/d;s/, line [0-9]* in .*//' >ours
gp-display-text -psummary shape.er 2>/dev/null | sed '/Source File:/d;s/, line [0-9]* in .*//' >theirs
check 'psummary: the same, but for the title' diff theirs ours

er_print -calltree empty.er >tree 2>errors
is "$?-$(tail -n 1 tree)" '0-0.      0.     +-<Total>' 'a tree without events'
er_print -crmlast shape.er >out 2>errors
is "$?-$(cat errors)" '1-er_print: the fragment has no function: use csingle' 'a fragment without a function'
er_print -csingle burn -crmlast shape.er >out 2>errors
is "$?-$(cat errors)" '1-er_print: the fragment has only one function' 'nor without its last one'
done_testing
