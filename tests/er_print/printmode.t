#!/bin/sh
# The forms of tables: equal to gprofng's where it has them; in html, names cannot break out.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/readers.sh
. "$TOP/tests/lib/readers.sh"

build_shape shape
SHAPE=$PWD/shape "$TESTDIR/make-experiments" shape.er || exit
SHAPE=$PWD/shape "$TESTDIR/make-counters" counted.er || exit
"$TESTDIR/make-hostile" hostile.er || exit

# The times of shape.er have no more than the three digits that gprofng prints.
if command -v gp-display-text >/dev/null; then
	for delimiter in ',' '|' ';' ' '; do
		same_output "with '$delimiter'" -printmode "$delimiter" -functions shape.er
	done
	same_output "other columns" -metrics name:size:e.totalcpu:i%totalcpu:address \
		-printmode , -functions -sort name -limit 3 -functions -sort -size -functions shape.er
	same_output "one column" -metrics name -printmode , -functions shape.er
	same_output "counters" -metrics e.%hwc -printmode , -functions counted.er
	same_output_but 's/"0\.000005"/"0.000"/; s/"0\.000001"/"0.000"/; s/a,""b""|c/a,"b"|c/; s/bell.*"/bell"/' \
		"short times, quotes" -printmode , -functions hostile.er
else
	skip "gprofng is not there" "gprofng's reader"
fi

fields() { # COLUMN...: of what python reads as comma-separated values
	python3 -c 'import csv, sys
for row in list(csv.reader(sys.stdin))[4:]:
	print(*(row[int(i)] for i in sys.argv[1:]))' "$@"
}

names="$(printf '%s\n' '<Total>' 'bell\007' "'=HYPERLINK(1)" '&lt;img src=x onerror=alert(1)&gt;' \
	'a,"b"|c' '</td><script>alert(1)</script>' main)"
is "$(er_print -metrics e.totalcpu:name -printmode , -functions hostile.er 2>/dev/null | sed 1,2d | fields 1)" \
	"$names" "other programs read the names"
is "$(er_print -printmode , -limit 2 -csingle main hostile.er 2>/dev/null | fields -3 -2 -1)" \
	"$(printf '%s\n' '<Total> caller main' 'main self main' 'bell\007 callee main' "'=HYPERLINK(1) callee main" \
		'&lt;img src=x onerror=alert(1)&gt; callee main' 'a,"b"|c callee main' \
		'</td><script>alert(1)</script> callee main')" \
	"callees name their caller"

# A stack is one field, with the frames as in folded stacks.
stacks() { # COMMAND COLUMN...
	command=$1
	shift
	er_print -printmode , -limit 2 "$command" hostile.er 2>/dev/null | fields "$@"
}
is "$(stacks -leaks 0 1 2 3)" "$(printf '%s\n' '1 1 500 bell\007 + 0x00000004;main + 0x00000004' \
	"2 1 400 '=HYPERLINK(1) + 0x00000004;main + 0x00000004")" "leaks are a table"
is "$(stacks -heap 1 2 3 4 5)" "$(printf '%s\n' '5 1500 5 1500 ' '1 500 1 500 bell\007 + 0x00000004;main + 0x00000004')" \
	"so is the heap"
is "$(stacks -iocallstack 1 2 3 4 7 8 11)" \
	"$(printf '%s\n' '0.000005 50 5 0. 0. 5 ' \
		'0.000001 10 1 0. 0. 1 </td><script>alert(1)</script> + 0x00000004;main + 0x00000004')" \
	"so are stacks of I/O"

# Short lists.
list() { # COMMAND COLUMN...
	command=$1
	shift
	er_print -printmode , "$command" hostile.er 2>/dev/null | fields "$@"
}
is "$(list -experiment_list 0 1 2 3)" "1 yes 4242 hostile.er" "experiments are a table"
is "$(list -sample_list 0 1 2)" "1 all 1" "so are samples"
is "$(list -cpu_list 0 1 2)" "1 all 1" "and CPUs"
is "$(list -objects 0 1)" "$(printf '%s\n' '<Unknown> <Unknown>' "<hostile> $PWD/hostile")" "and load objects"
is "$(list -archive 0 1 2 3)" "hostile.er missing $PWD/hostile not described" "and archives"

is "$(list -statistics 0 1 2 3 6 7 9 19)" "hostile.er  Total Total 1.000 1.000 0.100 0" "resource usage is a line"
is "$(list -sample_detail 1 2 4 5 9)" "$(printf '%s\n' ' Total 0. 1.000 0.100' \
	'1 </td><script>alert(1)</script> 0. 1.000 0.100')" "and so is each sample"

# Statistics have a line for each figure.
is "$(list -heapstat 0 1 2 3 | sed -n '1p;4p;5p')" "$(printf '%s\n' \
	'Process With Highest Peak Memory Usage Heap size bytes 1500 ' \
	'Process With Highest Peak Memory Usage Time of peak 0.280 sec.' \
	'Memory Allocations Statistics 0KB - 1KB 5 ')" "so do statistics of the heap"
is "$(list -iostat 0 1 2 3 | sed -n '1p;2p')" "$(printf '%s\n' 'Read Statistics 0KB - 1KB 5 ' \
	'Read Statistics Longest time 0.000001 sec.')" "and of I/O"

# Everything that prints, and titles, names and text in it.
all='-header -functions -callers-callees -csingle main -fsingle main -leaks -allocs -heap -heapstat -ioactivity
	-iodetail -iocallstack -iostat -notes -experiment_list -statistics -sample_list -sample_detail -thread_list
	-lwp_list -cpu_list -objects -archive -metric_list -sort name -limit 3 -functions'
# shellcheck disable=SC2086
er_print -printmode html -outfile all.html $all hostile.er 2>/dev/null
check "all commands together print one document" "$TESTDIR/check-html" all.html
"$TESTDIR/check-html" all.html >texts
for name in '<Total>' 'bell\007' '</td><script>alert(1)</script>' 'a,"b"|c'; do
	grep -qxF "td $name" texts
	ok $? "$name is a cell"
done
! grep -q '<script\|<img' all.html
ok $? "no name is markup"
er_print -printmode html -limit 3 -functions hostile.er 2>/dev/null | "$TESTDIR/check-html" >texts
is "$(grep -c '^td [^0-9]' texts)" 3 "the limit holds for html"

# The form stays, and each file is a document.
er_print -printmode html -outfile one.html -functions -outfile two.html -functions -functions shape.er
check "the first file is a document" "$TESTDIR/check-html" one.html
check "the second is, too" "$TESTDIR/check-html" two.html
is "$(grep -c '<table>' two.html)" 2 "both tables are in one document"

# The command itself.
forms='printmode\nprintmode html\nprintmode TEXT\nprintmode\nprintmode |\nprintmode\nfunctions\n'
# shellcheck disable=SC2059
printf "$forms" >script
is "$(er_print -metrics name -limit 1 -script script shape.er 2>/dev/null)" \
	"$(printf '%s\n' 'Current metrics: name' 'Current Sort Metric: Name ( name )' 'Current print mode: text' \
		'Current print mode: text' 'Current print mode: |' '""' '"Name"' '""' '"V  "' '"<Total>"')" \
	"forms can change"
for wrong in '' ab é '"'; do
	er_print -printmode "$wrong" shape.er >out 2>&1
	is "$? $(sed 's/:.*use/: use/' out)" "1 er_print: use 'text', 'html' or a single ASCII character other than '\"'" \
		"'$wrong' is not a form"
done
done_testing
