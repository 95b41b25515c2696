#!/bin/sh
# Filters, selections and index objects are those of gprofng.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/readers.sh
. "$TOP/tests/lib/readers.sh"

if ! command -v gp-display-text >/dev/null; then
	skip "there is no gp-display-text" "it shows the same"
	done_testing
fi
"$TESTDIR/make-experiments" shape.er second.er io.er io_second.er waits.er messages.er family.er || exit

for type in Threads CPUs Samples GCEvents Seconds Processes Experiment_IDs Datasize Duration; do
	for list in 'shape.er second.er' 'io.er io_second.er' waits.er family.er; do
		# shellcheck disable=SC2086
		same_output "$type of $list" "-$type" $list
	done
done
same_output "defined objects" -indxobj_define Half 'THRID==1 ? 0-1 : 1<<40' -indxobj Half -filters 'Half>5' \
	-indxobj Half shape.er
same_output "objects by name, and other metrics" -metrics i.user:e.system:name -sort name -CPUs -Threads shape.er

while read -r filter; do
	same_output "$filter" -filters "$filter" -functions -callers-callees -Threads shape.er second.er
	same_output "$filter, I/O" -filters "$filter" -ioactivity -iostat -Datasize io.er io_second.er
	same_output "$filter, waits" -filters "$filter" -functions -Duration waits.er
	same_output "$filter, heap" -filters "$filter" -functions -heapstat messages.er
done <<'END'
THRID==2
THRID==4243
LWPID==1 && CPUID==0
EXPID==2
PID == 4242
TSTAMP > 5000000 && TSTAMP <= 300000000
SAMPLE==1
MSTATE==1
LEAF IN FNAME("leaf_.*")
FNAME("burn") SOME IN USTACK
EVT_TIME > 1000000
IONBYTE > 20
HSIZE > 100
END

while read -r command list; do
	same_output "$command $list" "-$command" "$list" -functions -exp_list shape.er
done <<'END'
thread_select 2
thread_select 1,2
thread_select all
thread_select 1:1
sample_select 1
sample_select 7
cpu_select 1
cpu_select 0,1
lwp_select 1-2
END
done_testing
