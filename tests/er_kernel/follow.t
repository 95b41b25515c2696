#!/bin/sh
# User processes that are followed, with stacks from copies.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

ln -s "$BUILD/tests/er_kernel/programs/deep" deep
ln -s deep again
without_loss ktest.1.er er_kernel -p hi -q 0 ./deep 1 >spent
is "$? $(cat err)" "0 er_kernel: recording to 'ktest.1.er'
er_kernel: './deep' ended with status 0" 'the load is followed'
count=$(find ktest.1.er -maxdepth 1 -name '_deep_PID_*.er' | wc -l)
note "$(ls ktest.1.er)"
is "$count $(find ktest.1.er -maxdepth 1 -name '_again_PID_*.er' | wc -l)" '2 1' \
	'as are its child, and the program that this executes'
child=$(find ktest.1.er -maxdepth 1 -name '_again_PID_*.1.er' -printf '%f\n' | sed 's/.*_PID_\(.*\)\.1\.er/\1/')
parent=$(find ktest.1.er -maxdepth 1 -name '_deep_PID_*.1.er' -printf '%f\n' | grep -v "_$child\." |
	sed 's/.*_PID_\(.*\)\.1\.er/\1/')
check 'the child has one number' test -d "ktest.1.er/_deep_PID_$child.1.er"

# list EXPERIMENT: "exclusive inclusive function" of each
list() {
	er_print -limit 100000 -metrics e.totalcpu:i.totalcpu:name -functions "$1" 2>/dev/null |
		awk '/<Total>/ { on = 1 } on { print $1, $2, $3 }'
}
# near A B PERCENT
# shellcheck disable=SC2317 # check calls it
near() {
	awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { exit !(a > b * (1 - p / 100) && a < b * (1 + p / 100)) }'
}
for pair in "deep_PID_$parent 10" "deep_PID_$child 20" "again_PID_$child 30"; do
	# shellcheck disable=SC2086 # two words
	set -- $pair
	list "ktest.1.er/_$1.1.er" >rows
	all=$(awk '$3 == "<Total>" { print $2 }' rows)
	main=$(awk '$3 == "main" { print $2 }' rows)
	note "$1: $all seconds, main $main"
	check "$1: its time" near "$all" 1 15
	check "$1: all stacks begin in main" near "$main" "$all" 2
	check "$1: the function that computes" \
		near "$(awk '$3 == "compute" { print $2 }' rows)" "$all" 15
	is "$(er_print -calltree "ktest.1.er/_$1.1.er" 2>/dev/null | grep -c '+-middle')" $(($2 + 1)) "$1: each call of the recursion"
done
is "$(grep -c 'Truncated\|Stack-unwind-failed' rows)" 0 'no stack is incomplete'

if command -v gp-display-text >/dev/null; then
	total() { "$@" -metrics i.totalcpu:i.kcpu:name -functions ktest.1.er 2>/dev/null | awk '$NF == "<Total>" { print $1, $2 }'; }
	is "$(total gp-display-text)" "$(total er_print)" 'gprofng shows the same totals of kernel and processes'
else
	skip 'gprofng is not installed' 'gprofng shows the same totals of kernel and processes'
fi
check 'load objects are archived' sh -c 'ls ktest.1.er/archives | grep -q "^deep_"'

# Processes that run already, by number and by name, which no other has.
name=de$$p
ln -s deep "$name"
"./$name" 300 more &
pid=$!
experiment=_${name}_PID_$pid.1.er
er_kernel -t 1 -F "=$pid" -o number.er 2>/dev/null
is "$(find number.er -name '_*.er' -printf '%f\n')" "$experiment" '-F =NUMBER: this process alone'
list "number.er/$experiment" >rows
check 'its stacks begin in main' near "$(awk '$3 == "main" { print $2 }' rows)" \
	"$(awk '$3 == "<Total>" { print $2 }' rows)" 2
er_kernel -t 1 -F "=d[a-f]$$.+" -o name.er 2>/dev/null
is "$(find name.er -name '_*.er' -printf '%f\n')" "$experiment" '-F =REGEX: processes of this name'
er_kernel -t 1 -F "=e$$" -o part.er 2>/dev/null
is "$(find part.er -name '_*.er' -printf '%f\n')" '' 'which must match as a whole'
for _ in 1 2 3 4 5; do
	rm -rf all.er
	er_kernel -t 1 -F on -o all.er 2>/dev/null
	! [ -d "all.er/$experiment" ] || break
done
check '-F on: all processes' test -d "all.er/$experiment"
kill $pid
wait $pid 2>/dev/null
er_kernel -q 0 -F off -o none.er ./deep 0.2 >/dev/null 2>&1
is "$(find none.er -name '_*.er')" '' '-F off: not even the load'

# Many short processes: each has its experiment, or no time.
cat >many <<'END'
#!/bin/sh
for i in $(seq 100); do
	/bin/true
done
END
chmod +x many
without_loss many.er er_kernel -q 0 -p hi -o many.er ./many
ok $? 'nothing is lost'
check 'short processes are named by their programs' sh -c 'ls many.er | grep -q ^_true_PID_'
check 'the experiment can be read' er_print -functions many.er
done_testing
