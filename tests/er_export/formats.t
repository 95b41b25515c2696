#!/bin/sh
# er_export --format: every function has in every format the values that er_print shows, and the files are as the
# formats are described.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TOP/tests/er_print/make-experiments" shape.er family.er waits.er io.er second.er
every='pprof collapsed speedscope firefox chrome callgrind csv json'

# shown METRIC EXPERIMENT...: what er_print shows
shown() {
	metric=$1
	shift
	er_print -inline on -limit 0 -printmode , -metrics "e.$metric:i.$metric:name" -functions "$@" >shown.csv
	python3 "$TESTDIR/formats.py" er_print shown.csv "$metric"
}

# same METRIC EXPERIMENT... (formats in $formats; unit: of the last digit of er_print, or nothing)
unit=
same() {
	metric=$1
	expected=$(shown "$@")
	shift
	for format in $formats; do
		er_export -q -f --format="$format" --metric="$metric" -o out "$@" 2>err
		is "$? $(cat err)" '0 ' "$format of $metric in $* is written"
		got=$(python3 "$TESTDIR/formats.py" "$format" out "$metric" 2>&1)
		if [ "$unit" ]; then
			printf '%s\n' "$got" >got
			printf '%s\n' "$expected" >expected
			got=$(python3 - "$unit" <<'END'
import sys
got, expected = ({row.split("\t")[0]: [float(word) for word in row.split("\t")[1:]]
                  for row in open(name, encoding="utf-8").read().splitlines()} for name in ("got", "expected"))
for name in sorted(set(got) | set(expected)):
    # A name of which er_print says nothing has values that compare with none.
    pair = got.get(name, [0, 0]), expected.get(name, [0, 0])
    if max(abs(a - b) for a, b in zip(*pair)) > 0.501 * float(sys.argv[1]):
        print(name, *pair)
END
			)
			is "$got" '' 'with the same values as in er_print, but for their rounding'
			continue
		fi
		is "$got" "$expected" 'with the same values as in er_print'
	done
}

formats=$every
same totalcpu shape.er
same user family.er second.er
formats='pprof speedscope firefox callgrind csv json'
same sync waits.er
same syncn waits.er
same ioreadbytes io.er
formats='collapsed chrome'
same sync waits.er

# ---- a real program ----

collect -o real.er -p hi "$BUILD/tests/er_export/programs/viewed" >recorded 2>&1 || cat recorded
er_print -functions real.er >listed
check 'the program was recorded' grep -q ' recurse$' listed
formats=$every
unit=1
same totalcpu real.er
unit=
er_export -q --format=json real.er >rows
# The frame of an inlined function, its caller, and the function that both are in have one address.
python3 - >got <<'END'
import json
rows = [json.loads(line) for line in open("rows")]
frames = {}
for row in rows:
    for inner, outer, whole in zip(row["stack"], row["stack"][1:], row["stack"][2:]):
        if inner["function"] == "innermost":
            assert inner["address"] == outer["address"] == whole["address"]
            frames[inner["function"], outer["function"], whole["function"]] = inner["file"].split("/")[-1]
print(frames)
print(sorted({row["experiment"] for row in rows}), len({row["pid"] for row in rows}),
      len({(row["pid"], row["thread"]) for row in rows}) >= 3)
END
is "$(cat got)" "{('innermost', 'inner', 'outer'): 'viewed.c'}
['real.er', 'real.er/_f1.er'] 2 True" 'inlined functions, processes and threads are kept apart'
er_export -q --format=json --metric=user real.er >rows
is "$(python3 -c 'import json; print(sorted(set(json.loads(open("rows").readline())) - {"lwp"}))')" \
	"['experiment', 'pid', 'stack', 'thread', 'user_ns']" '--metric chooses the values'

er_export -q --format=firefox shape.er >out
is "$(python3 -c 'import json
print([mark["name"] for thread in json.load(open("out"))["threads"] for mark in thread["markers"]["data"]])')" \
	"['collector_open_experiment', 'periodic', 'collector_close_experiment']" 'samples are marks, once'

# ---- consumers that are here ----

if command -v callgrind_annotate >/dev/null; then
	er_export -q --format=callgrind --metric=totalcpu -o callgrind.out shape.er
	callgrind_annotate --threshold=100 callgrind.out >annotated 2>err
	is "$? $(cat err)" '0 ' 'callgrind_annotate reads it'
	is "$(sed -n 's/,//g;s/^ *\([0-9]*\) (100.0%)  PROGRAM TOTALS$/\1/p' annotated)" 490000000 \
		'and counts the same total'
	is "$(sed -n 's/,//g;s/^ *\([0-9]*\) (.*:burn .*/\1/p' annotated | head -n 1)" 250000000 'and the same for a function'
	callgrind_annotate --inclusive=yes --threshold=100 callgrind.out >annotated 2>err
	is "$(sed -n 's/,//g;s/^ *\([0-9]*\) (.*:middle .*/\1/p' annotated | head -n 1)" 420000000 \
		'recursion does not count twice'
else
	skip 'no callgrind_annotate here' 'callgrind_annotate reads it'
fi

# ---- what is asked for ----

refused() { # TEXT OPTION...
	text=$1
	shift
	er_export "$@" >out 2>err
	is "$? $(head -n 1 err) $(cat out)" "$text " "$*"
}
refused "2 er_export: invalid argument 'xml' for --format" --format=xml shape.er
refused "2 er_export: invalid argument 'pprof' for --format" --text --format=pprof shape.er
refused "2 er_export: invalid argument 'text' for --format" --format=text shape.er
refused "1 er_export: no data for metric 'sync': there are totalcpu, user, system" \
	--format=csv --metric=sync shape.er
refused "1 er_export: collapsed has one metric only: there are totalcpu, user, system" \
	--format=collapsed --metric=user,system shape.er
refused "1 er_export: metric 'syncn' is not a time, as chrome needs: there are totalcpu, sync" \
	--format=chrome --metric=syncn waits.er
refused "1 er_export: cannot open 'gone.er': No such file or directory" --format=csv gone.er
is "$(er_export -q --format=csv --metric=system:USER shape.er | head -n 1)" \
	"$(printf 'experiment,pid,thread,lwp,"system_ns","user_ns",leaf,stack\r')" \
	'metrics are in the order of their names'
er_export --format=collapsed shape.er 2>err >/dev/null
is "$? $(cat err)" '0 er_export: collapsed has no lines, load objects, threads or times: only names of functions' \
	'what a format lacks is said'

# ---- output ----

er_export -q --format=csv shape.er >expected
er_export -q --format=csv -o rows.csv shape.er
check '-o writes the same' cmp rows.csv expected
er_export -q --format=csv -o rows.csv second.er 2>err
is "$? $(cmp rows.csv expected)" '1 ' 'a file is not replaced'
er_export -q -f --format=csv -o rows.csv second.er
is "$? $(cmp -s rows.csv expected || echo differs)" '0 differs' 'without -f'
ls -A >before
er_export -q --format=json -o none/rows shape.er 2>err
is $? 1 'a missing directory is an error'
for format in pprof json; do
	er_export -q --format="$format" shape.er >/dev/full 2>err
	is "$? $(cut -d : -f 1,2 err)" '1 er_export: write error' "$format: errors of the output count"
done
ls -A >after
is "$(diff before after)" "$(printf '0a1\n> after')" 'and nothing is left' || diff before after
for format in pprof firefox; do
	er_export -q --format=$format shape.er >one
	er_export -q --format=$format shape.er >two
	check "$format: the same bytes again" cmp one two
done

# ---- damage ----

truncate -s -3 second.er/profile
er_export -q --format=csv -o damaged.csv second.er 2>err
is "$? $(grep -c profile err)" '1 1' 'damage is named and makes the status 1'
check 'but the rest is written' [ "$(wc -l <damaged.csv)" -gt 3 ]
er_export -q -a off -o shape.tar.zst shape.er
is "$(er_export -q --format=collapsed shape.tar.zst)" "$(er_export -q --format=collapsed shape.er)" \
	'a bundle is read, too'
done_testing
