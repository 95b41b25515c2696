#!/bin/sh
# Control of a recording by the program through libcollectorAPI, and how readers show it.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

check "programs link with the library" cc -std=gnu11 -D_GNU_SOURCE -O2 -g -fomit-frame-pointer -pthread \
	-I"$TOP" -I"$TOP/collector/api" -o control "$TOP/tests/collector/api/control.c" -L"$BUILD/lib" \
	-lcollectorAPI -Wl,-rpath,"$BUILD/lib"
check "and with the static one" cc -std=gnu11 -D_GNU_SOURCE -pthread -I"$TOP" -I"$TOP/collector/api" \
	-o control_static "$TOP/tests/collector/api/control.c" "$BUILD/lib/libcollectorAPI.a"
ldd ./control_static | grep -q libcollectorAPI
is $? 1 "which they do not need at run time"

# recorded NAME PAUSES: the program behaves as alone. There are so many pauses, of the process and of threads,
# and no event in any of them, by its time and by its place.
recorded() {
	as_alone "$1" ./control "$1"
	# shellcheck disable=SC2046
	set -- "$1" "$2" $(python3 "$TESTDIR/in_pauses.py" recorded.er)
	is "$3" "$2" "$1: $2 pauses in the log"
	check "$1: $4 events" [ "$4" -gt 0 ]
	is "$5" 0 "$1: no event in a pause"
	er_print -functions recorded.er >ours.txt 2>&1
	gp-display-text -functions recorded.er >theirs.txt 2>&1
	check "$1: the wanted functions are there" grep -q ' wanted$' ours.txt
	is "$(cat ours.txt theirs.txt | grep -c unwanted)" 0 "$1: and no others, in either reader"
	check "$1: the reader has no complaint" is_clean recorded.er
}

labels() { # of the samples in recorded.er, on one line
	tr '\0' '\n' <recorded.er/log.xml | sed -n 's/.*kind="sample".*label="\(.*\)".*/\1/p' |
		grep -v '^periodic$' | xargs -d '\n' printf '%s;'
}

# The lines of a reader about pauses and labels.
course() { # READER
	"$1" -header recorded.er 2>/dev/null | grep -E '^(Pause|Resume|Thread|Data Collection Duration)'
	"$1" -sample_detail all recorded.er 2>/dev/null | grep -E 'Label:'
}

same_course() { # NAME
	course er_print >ours.txt
	course gp-display-text >theirs.txt
	check "$1: er_print shows pauses" grep -Eq '^(Pause|Thread)' ours.txt
	check "$1: er_print shows pauses and labels as gp-display-text does" diff ours.txt theirs.txt
}

recorded pauses 5
again='collector_pause(API);;collector_resume;'
is "$(labels)" "collector_open_experiment;half &amp; half &lt;&quot;x&quot;&gt;;$again$again$again$again${again}collector_close_experiment;" \
	"pauses: a sample for each call that does something"
same_course pauses
is "$(wc -c <recorded.er/overview)" "$((504 * $(grep -ac 'kind="sample"' recorded.er/log.xml)))" \
	"pauses: and a record for each"

recorded ends_paused 1
is "$(labels)" 'collector_open_experiment;collector_pause(API);collector_close_experiment;' \
	"ends_paused: the log"

recorded threads 2
same_course threads

recorded storm 20
recorded handlers 20
recorded children 2

recorded long_texts 1
check "long_texts: er_print has no complaint either" sh -c \
	'er_print -header recorded.er | grep -c "^No errors$\|^No warnings$" | grep -qx 2'

as_alone terminates ./control terminates
is "$(labels)" 'collector_open_experiment;last;collector_close_experiment;' "terminates: the last sample"
is "$(tr '\0' '\n' <recorded.er/log.xml | grep -c 'kind="exit"')" 1 "terminates: one end"
er_print -functions recorded.er >ours.txt 2>&1
check "terminates: earlier events are there" grep -q ' wanted$' ours.txt
grep -q unwanted ours.txt
is $? 1 "terminates: later ones are not"
is "$(find recorded.er -name '_*')" '' "terminates: programs started later are not recorded"
check "terminates: the reader has no complaint" is_clean recorded.er
collect -o archived.er ./control terminates >/dev/null 2>&1
check "terminates: the archive is made then" er_archive --check -a on archived.er

as_alone terminates_among_threads ./control terminates_among_threads
check "terminates_among_threads: the reader has no complaint" is_clean recorded.er
library="$library $BUILD/lib/erkit/libcollector-heap.so"
record recorded.er 'H:;a:off;' ./control terminates_while_traced >out
is "$? $(cat out)" '0 went on' "terminates_while_traced: the program goes on"
check "terminates_while_traced: the reader has no complaint" is_clean recorded.er
library=$BUILD/lib/erkit/libcollector.so

as_alone messages ./control messages
as_alone 'static library' ./control_static pauses
is "$(python3 "$TESTDIR/in_pauses.py" recorded.er | cut -d ' ' -f 1)" 5 "static library: works as well"

# Traced calls in a pause are not recorded, nor is a wait that began before it.
collect -p off -H on -A off -o traced.er ./control allocations >/dev/null 2>&1
# shellcheck disable=SC2046
set -- $(python3 "$TESTDIR/in_pauses.py" traced.er)
is "$1 $3" '20 0' "traced: $2 events, none in a pause"
check "traced: there are events" [ "$2" -gt 0 ]

# Samples continue in a pause, with the clock and with traced calls.
in_pause() { # of periodic samples
	tr '\0' '\n' <recorded.er/log.xml | sed -n '/kind="pause"/,$p' | grep -c 'label="periodic"'
}
record recorded.er 'p:10007;a:off;' ./control long_pause
samples=$(in_pause)
check "a long pause: $samples periodic samples" [ "$samples" -ge 1 ]
library="$library $BUILD/lib/erkit/libcollector-heap.so"
record recorded.er 'H:;a:off;' ./control long_pause
samples=$(in_pause)
check "a long pause among traced calls: $samples periodic samples" [ "$samples" -ge 1 ]
is "$(python3 "$TESTDIR/in_pauses.py" recorded.er | cut -d ' ' -f 3)" 0 "and no event"
library=$BUILD/lib/erkit/libcollector.so

# With -t: nothing before its begin, whatever the program asks for. The pauses of both are merged.
record recorded.er 'p:1000;t:60:0;a:off;' ./control pauses
# shellcheck disable=SC2046
set -- $(python3 "$TESTDIR/in_pauses.py" recorded.er)
check "-t and pauses: at least one in the log" [ "$1" -ge 1 ]
is "$3" 0 "-t and pauses: no event of $2 in them"
check "-t and pauses: the reader has no complaint" is_clean recorded.er

done_testing
