# The header, the exported symbols and the manual speak of the same functions.
. "$TOP/tests/lib/tap.sh"

cc -E -P -I"$TOP" "$TOP/libexpt/expt.h" | tr '\n' ' ' | tr ';' '\n' |
	grep -o 'expt_[a-z0-9_]*(' | tr -d '(' | sort -u >declared
nm -D --defined-only "$BUILD/lib/libexpt.so.1" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' |
	sort -u >exported
grep -o '\.Fn expt_[a-z0-9_]*\|\.Fo expt_[a-z0-9_]*' "$TOP/libexpt/libexpt.3" 2>/dev/null |
	awk '{ print $2 }' | sort -u >described

is "$(comm -23 declared exported)" "" "every declared function is exported"
is "$(comm -13 declared exported)" "" "nothing else is exported"
is "$(comm -23 declared described)" "" "every function is in libexpt(3)"
is "$(comm -13 declared described)" "" "libexpt(3) describes no other"

for language in c c++; do
	echo '#include "libexpt/expt.h"' >"use.$language"
	check "the header stands alone in $language" cc -x "$language" -Wall -Wextra -pedantic -Werror \
		-I"$TOP" -fsyntax-only "use.$language"
done
done_testing
