#!/bin/sh
# The root of a stripped program's stacks has its name, also where only its description is left.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/ticks.sh
. "$TOP/tests/lib/ticks.sh"

cat >spin.c <<-END
	#include <time.h>
	int main(void)
	{
		while (clock() < CLOCKS_PER_SEC / 2)
			;
		return 0;
	}
END

# A tick or two may be in the loader.
root() { # EXPERIMENT: nearly all of whose stacks contain it, as far as they are sampled
	er_print -metrics i.totalcpu:name -functions "$1" >functions
	awk '$2 == "_start" { found = $1 } /not_sampled/ { left = $1 } /<Total>/ { total = $1 }
		END { print (found > 0 && found + left > total * .9) ? "all" : "not all" }' functions
	grep -c 'static.*spin' functions # main
}

for mode in on copy; do
	cc -O1 -s -o spin spin.c
	with_ticks 20 spin.er collect -p 1000u -A $mode -o spin.er ./spin
	is "$(root spin.er)" "all
1" "-A $mode: _start is the root"
	cp functions with_program
	rm spin
	root spin.er >/dev/null
	check "also without the program" cmp with_program functions
done

done_testing
