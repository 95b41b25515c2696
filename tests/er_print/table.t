#!/bin/sh
# The table of commands: what help says of each is true, and the manual has all of them.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/make-experiments" shape.er || exit
er_print -help >all
names=$(sed -n 's/^  \([A-Za-z_-]*\).*/\1/p' all)
others=$(sed -n 's/^  [A-Za-z_-]*\[\([A-Za-z_]*\)\].*/\1/p' all)
check 'there are commands' test "$(echo "$names" | wc -w)" -gt 30

unknown=
for name in $names; do
	er_print -help "$name" >one || unknown="$unknown help:$name"
	for other in $(sed -n 's/^See also: //p' one | tr -d ,); do
		echo "$names" | grep -qx "$other" || unknown="$unknown $name:$other"
	done
done
is "$unknown" '' 'related commands exist'

# wrong_examples: the commands whose example is refused for its form; that it names something which
# does not exist here is no matter
wrong_examples() {
	for name in $names; do
		er_print -help "$name" | sed -n '/^Example:/,/^$/s/^  //p' >script
		er_print -script script shape.er 2>&1 >list |
			grep -E 'unknown|requires|extra|ambiguous|invalid|not a ' &&
			echo "in the example of $name"
	done
}
is "$(wrong_examples)" '' 'examples can be typed'

missing=
for name in $names $others; do
	# Several types of index objects are in one sentence.
	grep -Eq "^\.(It |)Ic (.* , |)$name( |\$)|^\.It Ic .*, (Ic |)$name( |\$)" "$TOP/er_print/er_print.1" ||
		missing="$missing $name"
done
is "$missing" '' 'the manual has all of them'
done_testing
