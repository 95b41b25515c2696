#!/bin/sh
# The examples of the manual do what the sentence before each says, and the commands of the manual are those of help.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/ticks.sh
. "$TOP/tests/lib/ticks.sh"

manual=$TOP/er_print/er_print.1
{
	echo 'volatile double sink;'
	for number in $(seq 20); do
		echo "__attribute__((noinline)) static void f$number(void) { for (int i = 0; i < 3000000; i++) sink += i; }"
	done
	echo 'int main(void) {'
	for number in $(seq 20); do
		echo "f$number();"
	done
	echo 'return 0; }'
} >prog.c
gcc -g -O1 -o prog prog.c
for number in 1 2; do
	with_ticks 50 test.$number.er collect -A on -p hi -o test.$number.er ./prog
done
chmod -R a+rX test.1.er
er_export -o case.tar.zst test.1.er

sed -n '/^\.Sh EXAMPLES/,/^\.Sh SEE/s/^\.Dl er_print /er_print /p' "$manual" | sed 's/\\&//g' >examples
# example WORDS: the example with these words is in the manual, and runs without a complaint; its output is in out
example() {
	found=$(grep -F -- "$1" examples)
	is "$(printf '%s\n' "$found" | grep -c .)" 1 "there is an example with $1"
	rm -f functions.*
	sh -c "$found" >out 2>err
	is "$? $(grep -v '^Print limit set' err)" "0 " "$found"
	cat functions.* >>out 2>/dev/null
}
number=0
next() {
	number=$((number + 1))
	example "$@"
}
next '-limit 11'
is "$(sed -n '/<Total>/,$p' out | grep -c .)" 11 "eleven rows, as <Total> is one"
next '-callers-callees'
ok "$(($(sed 1,5d out | grep -c '\.[0-9]* *[a-z]*$') < 1 && $(grep -c '\*' out) < 1))" "a function is marked among its callers"
next 'short:soname'
check "libraries have their names" grep -q ' main \[<prog>\]$' out
next '-header all'
is "$(grep -c '^Experiment: ' out)" 2 "two headers"
next '-printmode ,'
check "fields are divided by commas" grep -q '^"[0-9.]*","100.00",.*"<Total>"$' out
next '-printmode html'
check "it is a page" grep -qi '<html' out
next 'TSTAMP < 1000000000'
check "seconds are rows" grep -q 'Second' out
next 'case.tar.zst'
check "a bundle is read" grep -q '<Total>' out
is "$(grep -c . examples)" "$number" "all examples were tried"

# Words of the old program that chose a view are not described one by one.
grep '^\.It Ic ' "$manual" | tr -s ' ,' '\n' | grep -v '^\.\|^Ic$' | sort -u >described
er_print -help | sed -n 's/^  \([a-z][a-z_-]*\).*/\1/p' | sort -u >listed
comm -23 listed described >missing
sed 's/^/# /' missing
check "the manual describes what help lists" test ! -s missing
done_testing
