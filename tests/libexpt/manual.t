#!/bin/sh
# The headers, the library and the manual name the same functions, and the manual's example works.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

manual=$TOP/libexpt/libexpt.3

cat "$TOP"/libexpt/api/*.h | tr '\n' ' ' | sed 's|/\*[^*]*\*\+\([^/*][^*]*\*\+\)*/| |g' |
	grep -o 'expt_[a-z0-9_]*(' | tr -d '(' | sort -u >declared
sed -n 's/^\.Fn \(expt_[a-z0-9_]*\).*/\1/p' "$manual" | sort -u >documented
nm -D --defined-only "$BUILD/lib/libexpt.so.1" | sed -n 's/.* T \(expt_[a-z0-9_]*\)$/\1/p;s/.* T \(expt_[a-z0-9_]*\)@.*/\1/p' |
	sort -u >exported

check 'the manual names every function of the headers, and no other' diff declared documented
check 'the library exports every function of the headers, and no other' diff declared exported

awk '/^\.Bd -literal$/ { n++; next } /^\.Ed$/ { inside = 0; next }
	n && /^#include/ && !inside { inside = 1 } inside { gsub(/\\e/, "\\"); print > "example" n ".c" }
' "$manual"
# A sanitized variant of the library needs the sanitizers here, too.
sanitizers=
nm "$BUILD/lib/libexpt.a" 2>/dev/null | grep -q __asan_init && sanitizers=-fsanitize=address,undefined
for example in example1 example2; do
	# shellcheck disable=SC2086
	check "the manual's $example compiles" "${CC:-cc}" $sanitizers -Wall -Wextra -Werror -I"$TOP" \
		-o $example $example.c "$BUILD/lib/libexpt.so" -Wl,-rpath,"$BUILD/lib"
done
"$TOP/tests/er_export/make-experiment" test.1.er
is "$(./example1 test.1.er)" '1 4' "the manual's first example counts"
"$TOP/tests/er_print/make-experiments" shape.er empty.er
is "$(./example2 shape.er | head -3)" "   0.250 s  burn
   0.130 s  leaf_b
   0.070 s  leaf_a" "and the second finds the hottest functions"

done_testing
