#!/bin/sh
# collect -M with -m: jobs end as alone, whatever they do, and leave an experiment that can be read.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe

# Launchers mix lines of ranks.
words() {
	grep -o 'finalized\|refused\|sent\|after\|got [0-9]*\|child [0-9]*\|level [0-9] [0-9]' "$1" | sort
}

# job LIBRARY WAY
job() {
	timeout 60 "mpirun.$1" -np 2 ./ends "$2" >alone 2>alone.err
	alone="$? $(words alone)"
	rm -rf job.er
	timeout 60 collect -A off -o job.er -M auto "mpirun.$1" -np 2 -- ./ends "$2" >out 2>err
	is "$? $(words out)" "$alone" "$1, $2: as alone" || note "$(cat err)"
	er_print -metrics e.mpisend:name -functions job.er >functions 2>complaints
	is "$? $(grep -c '<Total>' functions) $(grep -v warning complaints)" '0 1 ' "$1, $2: the experiment can be read"
}

for library in openmpi mpich; do
	if ! command -v mpicc.$library >/dev/null; then
		skip "there is no mpicc.$library" "jobs of $library"
		continue
	fi
	mpicc.$library -w -O1 -pthread -o ends "$TESTDIR/mpi_ends.c"
	job $library threads
	is "$(awk '$NF == "<Total>" { print $1 }' functions)" 1600 "$library: the calls of all threads are there"
	for way in abort kill fault fail leave return exec error start spawn; do
		job $library $way
	done
	for way in single funneled serialized multiple early; do
		job $library $way
		check "$library, $way: it says which level there is" grep -q 'level [0-9] [01]' alone
	done
done
done_testing
