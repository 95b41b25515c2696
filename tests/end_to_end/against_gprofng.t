#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/readers.sh"
# The installed gprofng as an independent reader of our recordings, and as the recorder of experiments that we
# read. functions.py lists the known kinds of differences between the two; every other difference is a bug.

if ! command -v gp-display-text >/dev/null; then
	skip "gprofng is not installed" "er_print agrees with gprofng"
	done_testing
fi
PYTHONPATH=$TOP/tests/lib
export PYTHONPATH
programs=$BUILD/tests/end_to_end/programs

# agree NAME EXPERIMENT [METRIC]: the same seconds, or other values, for every function, apart from the known
# kinds of differences.
agree() {
	python3 "$TOP/tests/end_to_end/functions.py" "$2" ${3:+"$3"} >differences 2>&1
	ok $? "$1: both readers list functions"
	is "$(grep -v -e '^same' -e '^named' -e '^renamed' -e '^swallowed' differences)" "" \
		"$1: gprofng's functions have the same ${3:-seconds}"
	sed 's/^/# /' differences | grep -v '# named' | head -20
	note "$(grep -c '^named' differences) functions named by us alone"
}

# ---- written by hand ----

build_shape shape
SHAPE=$PWD/shape "$TOP/tests/er_print/make-experiments" shape.er second.er family.er waits.er
for command in -functions -callers-callees -thread_list -lwp_list -cpu_list -sample_list \
	-experiment_list -metric_list; do
	same_output "by hand" $command shape.er
	same_output "descendants" $command family.er
	same_output "two experiments" $command shape.er second.er
done
cp -r shape.er nothing.er
: >nothing.er/profile
for command in -thread_list -lwp_list -cpu_list -sample_list; do
	same_output "no events" $command nothing.er
	same_output "no events in one of two" $command shape.er nothing.er
done
for command in -statistics -sample_detail; do
	same_output "by hand" $command 1 shape.er
	same_output "two experiments" $command all shape.er second.er
done
for metrics in e.user:i%system e.%totalcpu:i.user:size:address i%user:e.system; do
	same_output "metrics $metrics" -metrics $metrics -functions -callers-callees shape.er
done
# With the name before other columns, gprofng's callers-callees leave room only for the names next to <Total>;
# longer ones push the figures aside.
for metrics in name:ie.totalcpu size:name address:name:e.user; do
	same_output "metrics $metrics" -metrics $metrics -functions shape.er
done
for sort in name -name i.totalcpu -i.totalcpu; do
	same_output "sort $sort" -sort $sort -functions shape.er
done
for function in main middle burn leaf_b; do
	same_output "$function" -csingle $function -fsingle $function shape.er
done
for command in -metric_list -functions -callers-callees; do
	same_output "waits" $command waits.er
done
same_output "waits" -metrics ei.%sync:ei.%syncn -functions -callers-callees -csingle middle -fsingle leaf_a waits.er
same_output "waits" -metrics i.syncn:e.totalcpu -sort i.syncn -functions waits.er shape.er
same_output "limit" -limit 3 -functions shape.er
same_output "one of several" -functions family.er/_f2.er
gp-display-text -header 1 shape.er >theirs
er_print -header 1 shape.er | sed '/^Packets recorded/,/^$/d' >ours
check "by hand: the header is gprofng's, and the packets" diff theirs ours

# ---- recorded by us ----

if ! command -v collect >/dev/null; then
	skip "there is no collect" "recordings"
	done_testing
fi
check "a program is recorded" collect -o libraries.er "$programs/libraries"
agree "libraries" libraries.er
is "$(gp-display-text -header 1 libraries.er | grep -i -e error -e 'not closed')" "No errors" \
	"gprofng finds no errors"
# Only er_print shows the time without samples.
same_output_but '/CPU Time Recorded/,/With Samples/d' "libraries" -statistics 1 libraries.er
same_output "libraries" -thread_list libraries.er

check "a compilation is recorded" collect -o compile.er \
	cc -O2 -c -o out.o "$TOP/tests/end_to_end/programs/libraries.c"
agree "compilation" compile.er
same_output_but 's/ CPU sec. Sampled//; s/ ======== =======//; s/  *[0-9]*\.[0-9]*  *[0-9.]*% / /' \
	"compilation" -experiment_list compile.er
is "$(gp-display-text -header all compile.er | grep -c 'No errors')" \
	"$(er_print -experiment_list compile.er | tail -n +3 | wc -l)" \
	"gprofng finds no errors in any process"

check "waits are recorded" collect -p off -s all -o waits_recorded.er \
	"$BUILD/tests/collector/programs/waits" conditions
agree "waits" waits_recorded.er sync
agree "waits" waits_recorded.er syncn
same_output "waits" -metric_list waits_recorded.er
is "$(gp-display-text -header 1 waits_recorded.er | grep Synchronization)" \
	"$(er_print -header 1 waits_recorded.er | grep Synchronization)" "waits: the threshold is shown"

# ---- recorded by gprofng ----

if gp-collect-app -p on -H on -s on -o gprofng.er "$programs/libraries" >collected 2>&1; then
	same_output "gprofng's recording" -thread_list gprofng.er
	same_output "gprofng's recording" -sample_list gprofng.er
	same_output "gprofng's recording" -statistics 1 gprofng.er
	gp-collect-app -p off -s all -o gprofng_waits.er \
		"$BUILD/tests/collector/programs/waits" mutex >collected 2>&1
	agree "gprofng's recording of waits" gprofng_waits.er sync
	agree "gprofng's recording of waits" gprofng_waits.er syncn
	same_output "gprofng's recording of waits" -metric_list gprofng_waits.er
	gp-display-text -objects gprofng.er | grep '^ ' | sort >theirs
	er_print -objects gprofng.er | grep '^ ' | sort >ours
	check "gprofng's recording: the load objects are the same" diff theirs ours
	python3 - gprofng.er <<-'END' >theirs
		import os, struct, sys
		names = {2: "sync", 5: "heap", 8: "clock", 11: "frame", 17: "uid"}
		for file in ("profile", "heaptrace", "synctrace", "data.frameinfo"):
		    data, counts, at = open(os.path.join(sys.argv[1], file), "rb").read(), {}, 0
		    while at + 4 <= len(data):
		        size, kind = struct.unpack_from("<HH", data, at)
		        if size == 0:
		            at = (at // 16384 + 1) * 16384
		            continue
		        if kind not in (0, 65535):
		            counts[kind] = counts.get(kind, 0) + 1
		        at += size
		    if counts:
		        print("  %s: %s" % (file, ", ".join("%d %s" % (counts[kind], names[kind])
		                                            for kind in sorted(counts))))
	END
	er_print -header 1 gprofng.er | sed -n '/^Packets recorded/,/^$/p' | grep '^ ' >ours
	check "gprofng's recording: packets are counted by kind" diff theirs ours
else
	skip "gp-collect-app does not work here" "gprofng's recordings"
fi
done_testing
