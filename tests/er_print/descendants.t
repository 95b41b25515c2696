#!/bin/sh
# shellcheck disable=SC2317 # check runs the functions
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# Many descendants are opened and read by several threads: the output, and what is said of damaged ones, is as
# with one thread.

# shellcheck disable=SC2016 # of the shell that runs it
collect -A copy -p 1000u -o test.1.er sh -c \
	'i=0; while [ $i -lt 300 ]; do sh -c "j=0; while [ \$j -lt 10000 ]; do j=\$((j + 1)); done"; i=$((i + 1)); done' 2>/dev/null
# the Nth descendant
descendant() {
	find test.1.er -name '_*.er' | sort | sed -n "$1p"
}
# shorten N FILE BYTES: cut a file of the Nth descendant.
shorten() {
	file=$(descendant "$1")/$2
	[ "$(wc -c <"$file")" -gt "$3" ] || return 1
	truncate -s "$3" "$file"
}
rm "$(descendant 20)/log.xml"
check "a log is cut" shorten 90 log.xml 700
rm "$(descendant 120)/map.xml"
check "a map is cut" shorten 150 map.xml 500
check "stacks are cut" shorten 180 data.frameinfo 30
rm "$(descendant 210)/data.frameinfo" && mkdir "$(descendant 210)/data.frameinfo"
printf 'this is not a packet' >"$(descendant 240)/profile"

show() { # NAME COMMAND...
	name=$1
	shift
	"$@" er_print -functions -objects -experiment_list -Threads -header all test.1.er >"$name" 2>"$name.err"
}
show one env ER_THREADS=1
ok $(($(wc -l <one) < 1000)) "there is much to show"
for number in 20 90 120 150 180 210 240; do
	ok $(($(grep -c "$(basename "$(descendant $number)")" one.err) < 1)) "descendant $number is named"
done
bad=0
for round in 1 2 3 4 5; do
	show "several$round" env ER_THREADS=8
	cmp one "several$round" && cmp one.err "several$round.err" || bad=$((bad + 1))
done
is "$bad" 0 "with several threads, output and messages are the same"
done_testing
