#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# Many descendants are opened and read by several threads: the output, and what is said of damaged ones, is as
# with one thread.

# shellcheck disable=SC2016 # of the shell that runs it
collect -A copy -p 1000u -o test.1.er sh -c \
	'i=0; while [ $i -lt 300 ]; do sh -c "j=0; while [ \$j -lt 300 ]; do j=\$((j + 1)); done"; i=$((i + 1)); done' 2>/dev/null
# the Nth descendant
descendant() {
	find test.1.er -name '_*.er' | sort | sed -n "$1p"
}
rm "$(descendant 20)/log.xml"
head -c 700 "$(descendant 90)/log.xml" >part && cp part "$(descendant 90)/log.xml"
rm "$(descendant 120)/map.xml"
head -c 500 "$(descendant 150)/map.xml" >part && cp part "$(descendant 150)/map.xml"
head -c 30 "$(descendant 180)/data.frameinfo" >part && cp part "$(descendant 180)/data.frameinfo"
rm "$(descendant 210)/data.frameinfo" && mkdir "$(descendant 210)/data.frameinfo"
head -c 20 /dev/urandom >"$(descendant 240)/profile"

show() { # NAME COMMAND...
	name=$1
	shift
	"$@" er_print -functions -objects -experiment_list -Threads -header all test.1.er >"$name" 2>"$name.err"
}
show one taskset -c 0
ok $(($(wc -l <one) < 1000)) "there is much to show"
ok $(($(grep -c -e "$(basename "$(descendant 20)")" -e "$(basename "$(descendant 90)")" one.err) < 1)) \
	"damaged descendants are named"
bad=0
for round in 1 2 3 4 5; do
	show "several$round" env
	cmp one "several$round" && cmp one.err "several$round.err" || bad=$((bad + 1))
done
is "$bad" 0 "with several threads, output and messages are the same"
done_testing
