#!/bin/sh
# collect -M: the CPU time of each rank, and of the job, is that which the ranks see on their own clocks.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe

seconds() { # EXPERIMENT
	er_print -metrics i.totalcpu:name -functions "$1" 2>errors | awk '$NF == "work" { print $1 }'
}

# differs RECORDED OWN RANKS: print both if they are farther apart than one percent, and two ticks of each rank
differs() {
	awk -v recorded="$1" -v own="$2" -v ranks="$3" 'BEGIN { difference = recorded - own
		if (recorded == "" || own == "" || difference * difference > (0.01 * own + 0.02 * ranks) ^ 2) print recorded, own }'
}

for library in openmpi mpich; do
	if ! command -v mpicc.$library >/dev/null; then
		skip "there is no mpicc.$library" "CPU time with $library"
		continue
	fi
	mpicc.$library -w -g -O1 -o time "$TESTDIR/mpi_time.c"
	rm -rf job.er
	timeout 200 collect -p on -A off -o job.er -M auto "mpirun.$library" -np 4 -- ./time 8 >own 2>err
	is "$? $(awk 'NF == 3' own | wc -l)" '0 4' "$library: all ranks say what they have used" || note "$(cat own err)"
	while read -r rank cpu used; do
		is "$(differs "$(seconds "job.er/M_r$rank.er")" "$cpu" 1)$(differs "$(seconds "job.er/M_r$rank.er")" "$used" 1)" '' \
			"$library: CPU time of rank $rank"
	done <own
	is "$(differs "$(seconds job.er)" "$(awk '{ sum += $2 } END { print sum }' own)" 4)" '' "$library: the job has their sum"
	is "$(er_print -mpi_ranks job.er | awk '$1 ~ /^[0-9]+$/ && NF == 9 { print $1 }' | tr '\n' ' ')" '0 1 2 3 ' "$library: by rank"
done
done_testing
