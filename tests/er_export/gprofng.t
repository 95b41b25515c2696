#!/bin/sh
# gprofng's recordings are read completely, with the figures that gprofng itself shows.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v gp-collect-app >/dev/null; then
	echo '1..0 # SKIP gprofng is not installed'
	exit 0
fi

gp-collect-app -p on -H on -s on -i on -o test.1.er \
	"$BUILD/tests/er_export/programs/mixture" >/dev/null 2>&1
er_export --text test.1.er >text 2>errors
is "$(cat errors)" '' 'nothing in it is damaged'
is "$(sed -n 's/^# experiment "\(.*\)"/\1/p' text | tr '\n' ' ')" 'test.1.er test.1.er/_f1.er ' \
	'the descendant is found'

# The line <Total> of a table with one metric.
total() { # METRIC COLUMN
	gp-display-text -metrics "$1" -functions test.1.er | awk -v c="$2" '/<Total>/ { print $c; exit }'
}

is "$(awk '/^heaptrace/ && !/HTYPE=[14]/ && !/HVADDR=0x0 / { n++ } END { print n + 0 }' text)" \
	"$(total i.heapalloccnt 1)" 'as many allocations'
is "$(awk '/^heaptrace/ && !/HTYPE=[14]/ && !/HVADDR=0x0 / {
	match($0, /HSIZE=[0-9]*/); sum += substr($0, RSTART + 6, RLENGTH - 6) } END { print sum + 0 }' text)" \
	"$(total i.heapallocbytes 1)" 'as many bytes'
is "$(awk '/^profile/ { match($0, /NTICK=[0-9]*/); sum += substr($0, RSTART + 6, RLENGTH - 6) }
	END { printf "%.3f\n", sum * 10007 / 1e6 }' text)" \
	"$(total e.totalcpu 1 | sed 's/^0\.$/0.000/')" 'as much time'
is "$(awk '/^iotrace/ && /IOTYPE=1 / { n++ } END { print n + 0 }' text)" \
	"$(total i.iowritecnt 1)" 'as many writes'
is "$(awk '/^synctrace/ { n++ } END { print n + 0 }' text)" "$(total i.syncn 1)" 'as many waits'

# Samples: durations of all experiments, added up as gprofng does.
is "$(awk '/^sample/ { sum += $4 - $3 } END { printf "%.3f\n", sum }' text)" \
	"$(gp-display-text -sample_detail test.1.er | sed -n 's/.*Duration (sec.): *//p' | head -1)" \
	'as long samples'

done_testing
