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

sed -n '/^\.Bd -literal$/,/^\.Ed$/p' "$manual" | sed '1d;$d;s/\\e/\\/g' >example.c
# A sanitized variant of the library needs the sanitizers here, too.
sanitizers=
nm "$BUILD/lib/libexpt.a" 2>/dev/null | grep -q __asan_init && sanitizers=-fsanitize=address,undefined
# shellcheck disable=SC2086
check "the manual's example compiles" "${CC:-cc}" $sanitizers -Wall -Wextra -Werror -I"$TOP" \
	-o example example.c "$BUILD/lib/libexpt.so" -Wl,-rpath,"$BUILD/lib"
"$TOP/tests/er_export/make-experiment" test.1.er
is "$(./example test.1.er)" '1 4' "the manual's example counts"

done_testing
