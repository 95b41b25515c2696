#!/bin/sh
# collect -m: messages and bytes of each function of MPI are those that the program itself counts, for both libraries,
# from C and from the three interfaces of Fortran.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
metrics=e.mpisend:e.mpibytessent:e.mpireceive:e.mpibytesrecv:e.mpiother:name

# The functions of Open MPI for Fortran call PMPI_*.
recorded() { # EXPERIMENT...
	er_print -metrics $metrics -functions "$@" 2>&1 |
		awk '$6 ~ /^P?MPI_/ && $1 + $2 + $3 + $4 + $5 > 0 { sub(/^P/, "", $6); print $6, $1, $2, $3, $4, $5 }' | sort
}

counted() {
	awk 'NF == 5 { sends[$1] += $2; sent[$1] += $3; receives[$1] += $4; received[$1] += $5; others[$1] += !$2 && !$4 }
		END { for (name in sends) print name, sends[name], sent[name], receives[name], received[name], others[name] }' own* |
		sort
}

# The same with the number of calls, as er_print's own list has it.
listed() { # EXPERIMENT
	er_print -mpi_calls "$1" 2>&1 | awk '$NF ~ /^MPI_/ { print $7, $2, $3, $4, $5, $6 }' | sort
}

calls() {
	awk 'NF == 5 { calls[$1]++; sends[$1] += $2; sent[$1] += $3; receives[$1] += $4; received[$1] += $5 }
		END { for (name in calls) print name, calls[name], sends[name], sent[name], receives[name], received[name] }' own* |
		sort
}

# job LIBRARY RANKS PROGRAM
job() {
	rm -rf own* job.er
	timeout 120 collect -A off -o job.er -M auto "mpirun.$1" -np "$2" -- "./$3" own >out 2>&1
	is "$? $(recorded job.er)" "0 $(counted)" "$1, $2 ranks, $3: all is as the program counts it" || note "$(cat out)"
	is "$(listed job.er)" "$(calls)" "$1, $2 ranks, $3: the list of calls" || note "$(er_print -mpi_calls job.er)"
}

in_fortran() { # LIBRARY INTERFACE SED-SCRIPT
	sed "$3" "$TESTDIR/mpi_calls.f90" >"$2.f90"
	if "mpifort.$1" -w -fallow-argument-mismatch -o "$2" "$2.f90" 2>log; then
		job "$1" 3 "$2"
	else
		skip "mpifort.$1 cannot compile: $(head -n 1 log)" "$1, $2"
	fi
}

for library in openmpi mpich; do
	if ! command -v mpicc.$library >/dev/null; then
		skip "there is no mpicc.$library" "calls with $library"
		continue
	fi
	mpicc.$library -w -O1 -o calls "$TESTDIR/mpi_calls.c"
	for ranks in 1 2 4; do
		job $library $ranks calls
	done
	check "gprofng's reader opens a rank" sh -c \
		'! command -v gp-display-text >/dev/null || gp-display-text -functions job.er/M_r0.er | grep -q "<Total>"'
	in_fortran $library mpif "s/USE_MPI//; s/INCLUDE_MPI/include 'mpif.h'/; s/REQUEST ::/integer ::/
		s/STATUS ::/integer, dimension(MPI_STATUS_SIZE) ::/"
	in_fortran $library use "s/USE_MPI/use mpi/; s/INCLUDE_MPI//; s/REQUEST ::/integer ::/
		s/STATUS ::/integer, dimension(MPI_STATUS_SIZE) ::/"
	in_fortran $library f08 "s/USE_MPI/use mpi_f08/; s/INCLUDE_MPI//; s/REQUEST ::/type(MPI_Request) ::/
		s/STATUS ::/type(MPI_Status) ::/"
	rm -rf job.er
	rm -rf own*
	timeout 120 "mpirun.$library" -np 2 collect -A off -m on ./calls own >out 2>&1
	is "$? $(recorded test.0.er test.1.er)" "0 $(counted)" \
		"$library: a launcher that starts collect"
	rm -rf test.*.er
	timeout 120 collect -A off -m off -o job.er -M auto mpirun.$library -np 2 -- ./calls own >out 2>&1
	is "$? $(find job.er -name '*mpitrace*')" '0 ' "$library: -m off traces no calls"
done
collect -m on true 2>err
is "$? $(head -n 1 err)" '2 collect: -m on requires -M, or a launcher that starts collect' '-m without a launcher'
done_testing
