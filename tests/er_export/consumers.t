#!/bin/sh
# er_export --format with the programs that read the formats: they show the figures of er_print. What is not installed is
# skipped: packages of npm, in NODE_PATH or global, Go, pandas and Chromium.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TOP/tests/er_print/make-experiments" shape.er
collect -o real.er -p hi "$BUILD/tests/er_export/programs/viewed" >recorded 2>&1 || cat recorded
er_print -functions real.er >listed
check 'a program was recorded' grep -q ' recurse$' listed
mkdir s
export PROFILER_CLI_SESSION_DIR="$PWD/s"

# shown EXPERIMENT: functions with their exclusive and inclusive milliseconds; nan where several have the name
shown() {
	er_print -inline on -limit 0 -printmode , -metrics e.totalcpu:i.totalcpu:name -functions "$1" >shown.csv
	python3 "$TESTDIR/formats.py" er_print shown.csv totalcpu | grep -v '^<Total>'
}

# compare.py GOT EXPECTED: figures may differ by the digits that either rounds
cat >compare.py <<'END'
import sys
def rows(path):
    return {row.split("\t")[0]: [float(word) for word in row.split("\t")[1:]]
            for row in open(path, encoding="utf-8").read().splitlines()}
got, expected = rows(sys.argv[1]), rows(sys.argv[2])
for name in sorted(set(got) | set(expected)):
    pair = got.get(name, [0, 0]), expected.get(name, [0, 0])
    if max(abs(a - b) - .006 * max(a, b) for a, b in zip(*pair)) > 1.1:
        print(name, *pair)
print(len(got) > 5 and sum(row[0] for row in got.values()) > 100)
END

# reads CONSUMER FORMAT COMMAND... (experiments in $experiments): the command is given the file and the metric
reads() {
	consumer=$1 format=$2
	shift 2
	for experiment in $experiments; do
		er_export -q -f --format="$format" --metric=totalcpu -o "out.$format" "$experiment"
		shown "$experiment" >expected
		timeout -k 5 120 "$@" "out.$format" totalcpu >got 2>err || cat err
		is "$(python3 compare.py got expected)" True "$consumer reads $format of $experiment as er_print"
	done
}

experiments='shape.er real.er'
for format in pprof chrome firefox csv json; do
	missing=$(command -v node >/dev/null || echo node)
	[ "$missing" ] || missing=$(node "$TESTDIR/consumers.mjs" $format 2>&1)
	case $format in
	pprof) consumer=pprof-format ;;
	chrome) consumer="the performance panel of Chrome" ;;
	csv | json) consumer=DuckDB ;;
	*) consumer="the Firefox profiler" ;;
	esac
	if [ "$missing" ]; then
		skip "there is no $missing" "$consumer reads $format"
	else
		reads "$consumer" $format node "$TESTDIR/consumers.mjs" $format
	fi
done
# Debian's pandas is for Debian's Python.
for python in python3 /usr/bin/python3; do
	"$python" -c 'import pandas' 2>/dev/null && break
done
for format in pprof csv json; do
	consumer=pandas
	[ $format != pprof ] || consumer="pprof of Go"
	missing=$("$python" "$TESTDIR/analysed.py" $format 2>&1)
	if [ "$missing" ]; then
		skip "there is no $missing" "$consumer reads $format"
	else
		reads "$consumer" $format "$python" "$TESTDIR/analysed.py" $format
	fi
done
# A browser takes its time.
experiments=shape.er
missing=$("$TESTDIR/consumers.py" 2>&1)
for format in speedscope pprof; do
	if [ "$missing" ]; then
		skip "there is no $missing" "speedscope reads $format"
	else
		reads speedscope $format "$TESTDIR/consumers.py" $format
	fi
done
done_testing
