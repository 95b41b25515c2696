#!/bin/sh
# A name that means nothing is refused with what could have been meant, or with where to look.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

cat >inline.c <<'END'
#include <unistd.h>

static inline __attribute__((always_inline)) unsigned mix(unsigned h, unsigned x)
{
	for (int i = 0; i < 50; i++)
		h = (h ^ x) * 16777619u + (h >> 3);
	return h;
}

__attribute__((noinline)) unsigned run(unsigned n)
{
	unsigned h = 1;

	for (unsigned i = 0; i < n; i++)
		h = mix(h, i);
	return h;
}

int main(void)
{
	unsigned h = run(3000000);

	return write(1, &h, sizeof(h)) < 0;
}
END
${CC:-cc} -O2 -g -o inline inline.c || exit
collect -i on -o test.er ./inline >/dev/null 2>&1 || exit

# refused WANTED TEXT COMMAND...: the first line of the errors.
refused() {
	wanted=$1
	text=$2
	shift 2
	er_print "$@" test.er >out 2>err
	is "$? $(head -n 1 err)" "1 er_print: $wanted" "$text"
}
refused "no data for metric 'e.totlcpu'; did you mean 'totalcpu'?" 'a misspelt metric' -metrics e.totlcpu
refused "no data for metric 'e.cycles'" 'a metric without data' -metrics e.cycles
refused "unknown flavor in 'x.totalcpu': the flavors are e, i and d" 'an unknown flavor' -metrics x.totalcpu
refused "cannot sort by 'e.cycles': no data for metric 'e.cycles'" 'a sort key without data' -sort e.cycles
refused "cannot sort by '-e.totalcp': no data for metric 'e.totalcp'; did you mean 'totalcpu'?" \
	'a misspelt sort key' -sort -e.totalcp
refused "unknown type of index objects 'Theads'; did you mean 'Threads'?" 'a misspelt type' -indxobj Theads
refused "unknown type of index objects 'Lcks'; 'indxobj_list' lists them" 'an unknown type' -indxobj Lcks
refused "invalid number 'abc'" 'a word for a number is not an experiment' -limit abc -functions
er_export -q -o bundle test.er
check 'but one that names a bundle is' er_print -limit bundle
refused "no function 'mix' with recorded metrics: it is inlined; 'inline on' shows it" 'an inlined function' \
	-fsingle mix
refused "no function or source file 'mix' with recorded metrics: it is inlined; 'inline on' shows it" \
	'its instructions' -disasm mix
refused "no function or source file 'max' with recorded metrics" 'no function at all' -disasm max
refused "'mix' is inlined: its instructions are in the functions that call it" 'it has none of its own' \
	-inline on -disasm mix

is "$(er_print -functoins test.er 2>&1)" "er_print: unknown command '-functoins'; did you mean 'functions'?" \
	'a misspelt command'

# What is inlined into the recorder's wrappers is not the program's.
er_print -inline on -csingle write test.er >out 2>err
is "$(cat err)" '' 'a wrapper is the function that the program called'
check 'and calls nothing' grep -q 'No Callees' out
done_testing
