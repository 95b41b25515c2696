#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/readers.sh"
# OpenMP programs, compared with gprofng's reader.

all=ei.totalcpu:ei.ompwork:ei.ompwait:ei.ompovhd:name

# has_row FILE ROW
# shellcheck disable=SC2317
has_row() {
	tr -s ' ' <"$1" | grep -qx "$2"
}

build_shape shape
"$TOP/tests/er_print/make-omp" "$PWD/shape" omp.er linux.er second.er odd.er
cat >regions <<'END'
OMP_preg
OMP_task
metrics ei.totalcpu:name
OMP_preg
OMP_task
metrics i.%user:i.ompwait:name
OMP_preg
END

for mode in user expert machine; do
	same_output "stacks in $mode mode" -viewmode $mode -metrics $all -functions -csingle main omp.er
done
same_output 'the initial metrics' -functions -metric_list omp.er
same_output 'regions and tasks' -script regions omp.er
same_output 'those of two experiments' -script regions omp.er second.er

# Linux recorders know no other state than being on a CPU, which gprofng takes for waiting.
er_print -viewmode user -metrics $all -functions omp.er >theirs
er_print -viewmode user -metrics $all -functions linux.er >ours
check 'CPU time on Linux is work' cmp theirs ours

er_print -metrics e.totalcpu:name -OMP_preg -OMP_task odd.er >odd 2>errors
check 'a region that is not described is none' has_row odd '0.030 Implicit OpenMP Parallel Region'
check 'an address of no function is shown' has_row odd '0.020 OpenMP Parallel Region from <Unknown> + 0x99999999'
check 'parents in a circle do not matter' has_row odd '0.050 OpenMP Parallel Region from middle + 0x00000004'
check 'without entries there is no list' grep -qx 'The experiments have no data on OpenMP tasks' odd

"$TOP/tests/er_print/make-experiments" shape.er
is "$(er_print -OMP_preg shape.er)" 'The experiments have no data on OpenMP regions' 'nor in other experiments'
check 'nor are there metrics' sh -c '! er_print -metric_list shape.er | grep omp'
is "$(er_print -header omp.er | grep -c 'OpenMP tracing')" 1 'the header has the kind of data'

done_testing
