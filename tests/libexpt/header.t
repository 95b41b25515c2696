#!/bin/sh
# The public headers are self-contained, in C and in C++.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

for language in c c++; do
	for header in libexpt/expt.h $(cd "$TOP" && ls libexpt/api/*.h); do
		echo "#include \"$header\"" >"use.$language"
		check "$header stands alone in $language" cc -x "$language" -Wall -Wextra -pedantic -Werror \
			-I"$TOP" -fsyntax-only "use.$language"
	done
done
missing=$(cd "$TOP" && for header in libexpt/api/*.h; do
	grep -q "^#include \"$header\"$" libexpt/expt.h || echo "$header"
done)
is "$missing" "" "expt.h includes them all"

nm -D --defined-only "$BUILD/lib/libexpt.so.1" |
	awk '$2 ~ /[A-Z]/ && $3 !~ /^(expt_|LIBEXPT_)/ { print $3 }' | grep -v san >others
is "$(cat others)" "" "the library exports nothing else"
done_testing
