#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/readers.sh"
# The figures of heap events: by our reader, by a second implementation of the rules, and by gprofng's reader;
# over random events, over our recordings, and over gprofng's.

metrics=e.heapalloccnt:e.heapallocbytes:e.heapleakcnt:e.heapleakbytes
programs=$BUILD/tests/collector/programs

# functions READER EXPERIMENT: "FIGURES... NAME" of each function with a name, in the order of names.
functions() {
	"$1" -metrics $metrics -sort name -functions "$2" 2>/dev/null |
		sed -n 's/^ *\([0-9]\{1,\}\)  *\([0-9]\{1,\}\)  *\([0-9]\{1,\}\)  *\([0-9]\{1,\}\)  *\([^ <].*\)$/\1 \2 \3 \4 \5/p' |
		sort
}

# figures READER EXPERIMENT: those of the whole experiment.
figures() {
	"$1" -metrics $metrics -functions "$2" 2>/dev/null | sed -n 's/  *<Total>$//p' | tr -s ' '
}

has_gprofng=$(command -v gp-display-text)

# ---- random events ----

for name in first second third; do
	python3 "$TOP/tests/end_to_end/heap.py" $name >expected
	check "$name: there is something to compare" grep -q '^[1-9][0-9]* [1-9][0-9]* [1-9][0-9]* [1-9].* burn$' expected
	is "$(functions er_print $name.er | grep -v ' main$')" "$(sort expected)" \
		"$name: the figures are those of the rules"
	if [ "$has_gprofng" ]; then
		is "$(functions gp-display-text $name.er | grep -v ' main$')" "$(sort expected)" \
			"$name: gprofng's are the same"
		for command in -functions -callers-callees -heapstat; do
			same_output $name $command $name.er
		done
	fi
done
python3 "$TOP/tests/end_to_end/heap.py" strange right >expected
is "$(functions er_print strange.er | grep -v ' main$')" "$(sort expected)" \
	"figures that gprofng gets wrong are right"

# ---- lists of known form ----

if [ "$has_gprofng" ]; then
	build_shape heap
	SHAPE=$PWD/heap "$TOP/tests/er_print/make-heap" lists.er more.er empty.er
	for command in -functions -callers-callees -leaks -allocs -heap -heapstat -metric_list; do
		same_output lists $command lists.er
		same_output empty $command empty.er
	done
	for command in -functions -leaks -allocs -heapstat; do
		same_output "two experiments" $command lists.er more.er
		same_output "two experiments" $command more.er lists.er
	done
	same_output "limit" -limit 3 -leaks -allocs -heap lists.er
	same_output "names" -name short -leaks lists.er
	same_output "names" -name long:soname -leaks lists.er
fi

# ---- recorded ----

# by_name: the figures of each name, with functions of one name added up. A tick in libc's realloc gives the
# list a second one, and the readers order the two differently.
by_name() {
	awk '{
		figures[0] = $1; figures[1] = $2; figures[2] = $3; figures[3] = $4
		$1 = $2 = $3 = $4 = ""
		for (i = 0; i < 4; i++) {
			sum[$0, i] += figures[i]
		}
		names[$0]
	}
	END {
		for (name in names) {
			print sum[name, 0], sum[name, 1], sum[name, 2], sum[name, 3] name
		}
	}'
}

# recorded NAME: the readers agree on every function that both can name, and on the total.
recorded() {
	functions er_print test.er | by_name >ours
	functions gp-display-text test.er | by_name >theirs
	awk '{
		figures = $1 " " $2 " " $3 " " $4
		$1 = $2 = $3 = $4 = ""
	}
	NR == FNR { theirs[$0] = figures }
	NR != FNR && $0 in theirs { print figures == theirs[$0] ? "same" : "different:" $0 }
	' theirs ours | sort | uniq -c >both
	# shellcheck disable=SC2016 # they are awk's
	check "$1: most functions are known to both" \
		awk -v least="$2" '$2 == "same" && $1 >= least { found = 1 } END { exit !found }' both
	is "$(grep different both)" "" "$1: they have the same figures"
	is "$(figures er_print test.er)" "$(figures gp-display-text test.er)" "$1: and so does the total"
}

if [ "$has_gprofng" ]; then
	for situation in everything mappings threads; do
		rm -rf test.er
		collect -A off -p off -H on -o test.er "$programs/leaks" $situation 2>/dev/null
		recorded "ours, $situation" 5
		# Several threads may reach the peak. We show the first, gprofng shows one of them.
		case $situation in
		threads) aside='s/^\(Time of peak *\)[0-9.]*/\1/' ;;
		*) aside= ;;
		esac
		same_output_but "$aside" "ours, $situation" -heapstat test.er
	done
	rm -rf test.er
	collect -A off -p on -H on -o test.er sh -c "$programs/operators; $programs/leaks everything" \
		>/dev/null 2>&1
	recorded "ours, descendants" 20
	same_output "ours, descendants" -heapstat test.er
	if command -v gprofng >/dev/null; then
		rm -rf test.er
		gprofng collect app -p off -H on -O test.er "$programs/leaks" everything >/dev/null 2>&1
		recorded "gprofng's, C" 5
		rm -rf test.er
		gprofng collect app -p off -H on -O test.er "$programs/operators" >/dev/null 2>&1
		recorded "gprofng's, C++" 20
	fi
else
	skip "gprofng is not installed" "readers agree"
fi

done_testing
