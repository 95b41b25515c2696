#!/bin/sh
# The public header needs nothing but itself, in C and in C++.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

for language in c c++; do
	echo '#include "libexpt/expt.h"' >"use.$language"
	check "the header stands alone in $language" cc -x "$language" -Wall -Wextra -pedantic -Werror \
		-I"$TOP" -fsyntax-only "use.$language"
done

nm -D --defined-only "$BUILD/lib/libexpt.so.1" |
	awk '$2 ~ /[A-Z]/ && $3 !~ /^(expt_|LIBEXPT_)/ { print $3 }' | grep -v san >others
is "$(cat others)" "" "the library exports nothing else"
done_testing
