#!/bin/sh
# er_print's lists of the ranks of an MPI job: messages of each pair of ranks are those that the program itself counts, and
# each one that was sent was received.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe

# "FROM TO MESSAGES BYTES", of those sent, if they equal those received and the pairs
routes() { # EXPERIMENT
	er_print -mpi_messages "$1" >list 2>&1
	awk '$9 == "->" && $1 == $3 && $2 == $4 && $1 == $5 { print $8, $10, $1, $2 }' list | sort -k 1,1n -k 2,2n
}

counted() {
	awk '{ count[$1 " " $2]++; bytes[$1 " " $2] += $3 } END { for (route in count) print route, count[route], bytes[route] }' own.* |
		sort -k 1,1n -k 2,2n
}

# Ranks that called MPI_Alltoall, their messages, and the bytes of one. Open MPI's functions for Fortran call PMPI_*.
all_with_all() {
	for experiment in fortran.er/M_r*.er; do
		er_print -metrics e.mpisend:e.mpibytessent:name -functions "$experiment" 2>&1 |
			awk '$3 ~ /^P?MPI_Alltoall$/ && $1 > 0 { print $1, $2 }'
	done | sort | uniq -c | awk '{ calls += $1 * $2; ranks += $1; bytes = $3 } END { print ranks, calls, bytes }'
}

matrix() { # bytes|messages COLUMN
	er_print -mpi_matrix "$1" job.er | awk 'NF > 1 && /^ *[0-9 ]+$/ { for (i = 1; i < NF; i++) if ($i) print $NF, i - 1, $i }' | sort -k 1,1n -k 2,2n >matrix
	is "$(cat matrix)" "$(counted | awk -v column="$2" '$column { print $1, $2, $column }')" "$3: the matrix of $1"
}

for library in openmpi mpich; do
	if ! command -v mpicc.$library >/dev/null; then
		skip "there is no mpicc.$library" "ranks with $library"
		continue
	fi
	mpicc.$library -w -O1 -o ranks "$TESTDIR/ranks.c"
	for ranks in 1 2 5 8; do
		rm -rf job.er own.*
		timeout 120 collect -A off -o job.er -M auto "mpirun.$library" -np $ranks -- ./ranks own >out 2>&1
		is "$? $(routes job.er)" "0 $(counted)" "$library, $ranks ranks: each message is sent and received" || note "$(cat out list)"
		is "$(grep -c warning list)" 0 "$library, $ranks ranks: none is received before it is sent"
	done
	matrix bytes 4 $library
	matrix messages 3 $library
	is "$(er_print -mpi_ranks job.er | awk 'NR > 5 && NF == 9 { print $1 }' | tr '\n' ' ')" '0 1 2 3 4 5 6 7 ' "$library: the ranks"

	# The same communicators have the same numbers in all ranks.
	for rank in 0 2 4 6; do
		er_print -metrics e.mpisend:name -Communicators job.er/M_r$rank.er | awk '/Communicators/ && $1 { print $3, $1 }' | sort
	done | sort | uniq -c | awk '{ print $1, $3 }' | sort -n >numbers
	is "$(awk '{ print $1 }' numbers | sort -n | tail -1)" 4 "$library: a communicator has the same number in ranks"
	er_print -filters 'MPIPEER == 3' -metrics e.mpisend:e.mpireceive:name -limit 1 -functions job.er >filtered 2>&1
	is "$(awk '/<Total>/ { print $1, $2 }' filtered)" "$(counted |
		awk '$2 == 3 { to += $3 } $1 == 3 { from += $3 } END { print to, from }')" "$library: a filter by the other rank"

	other=$(er_print -metrics e.mpiother:name -limit 1 -functions job.er 2>/dev/null | awk '/<Total>/ { print $1 }')
	is "$(er_print -filters 'MPISCOUNT == 0 && MPIRCOUNT == 0 && MPISBYTES + MPIRBYTES == 0' -metrics e.mpiother:name -limit 1 \
		-functions job.er 2>/dev/null | awk '/<Total>/ { print $1 }')" "$other" "$library: $other calls without a message"
	er_print -metrics e.mpicalls:name -Partner_Ranks job.er >out 2>&1
	is "$(er_print -filters 'MPIPEER == -1' -metrics e.mpicalls:name -limit 1 -functions job.er 2>/dev/null |
		awk '/<Total>/ { print $1 }')" "$(awk '/<Unknown>/ { print $1 }' out)" "$library: calls without an other rank" ||
		note "$(cat out)"

	# Ranks whose launcher starts collect: a group of them is the job, and is so twice if there are two.
	rm -rf own.* test.*.er one.* two.*
	timeout 120 "mpirun.$library" -np 4 collect -A off -g one.erg -m on ./ranks own >out 2>&1
	is "$? $(routes one.erg)" "0 $(counted)" "$library: ranks whose launcher starts collect" || note "$(cat out list)"
	is "$(er_print -mpi_ranks one.erg | awk 'NR > 5 && NF == 9 { print $1 }' | tr '\n' ' ')" '0 1 2 3 ' "$library: all of them"
	timeout 120 "mpirun.$library" -np 4 collect -A off -g two.erg -m on ./ranks own >out 2>&1
	is "$(er_print -mpi_messages one.erg two.erg | grep -c '^Messages between')" 2 "$library: two jobs"
	is "$(er_print -header one.2.er | grep 'Rank')" '  Rank 2 of an MPI job' "$library: the header has the rank"

	# Another name of a host: then its clock is known from messages alone.
	sed -i 's/hostname="[^"]*"/hostname="other"/' job.er/M_r1.er/log.xml
	er_print -mpi_ranks job.er >out 2>&1
	is "$(awk '$NF == "other" { print $1, ($(NF - 1) + 0 < 0.5 && $(NF - 1) + 0 > -0.5) }' out)" '1 1' \
		"$library: the clock of another host" || note "$(cat out)"
	is "$(er_print -mpi_messages job.er 2>&1 | grep -c warning)" 0 "$library: its messages arrive after they were sent"

	# The same in Fortran: a stencil, a master with workers, and all with all.
	if mpifort.$library -w -fallow-argument-mismatch -o fortran "$TESTDIR/ranks.f90" 2>log; then
		for ranks in 3 16; do
			rm -rf fortran.er own.*
			timeout 200 collect -A off -o fortran.er -M auto "mpirun.$library" -np $ranks -- ./fortran own >out 2>&1
			is "$? $(routes fortran.er)" "0 $(counted)" "$library, Fortran, $ranks ranks: each message is sent and received" ||
				note "$(cat out list)"
			is "$(grep -c warning list)" 0 "$library, Fortran, $ranks ranks: none is received before it is sent"
			is "$(counted | wc -l)" $((ranks * ranks)) "$library, Fortran, $ranks ranks: every pair talks"
		done
		is "$(all_with_all)" '16 16 64' "$library, Fortran: calls, and bytes sent by each, of MPI_Alltoall"
	else
		skip "mpifort.$library cannot compile: $(head -n 1 log)" "$library, Fortran"
	fi
done
printf 'int main(void) { return 0; }\n' >main.c
cc -o plain main.c
collect -A off -o plain.er ./plain >out 2>&1
is "$(er_print -mpi_calls plain.er)" 'The experiments have no data on MPI: see collect -M' 'no data on MPI'
is "$(er_print -mpi_ranks plain.er)" 'The experiments are not those of MPI jobs: see collect -M' 'no MPI job'
er_print -mpi_matrix both plain.er 2>err
is "$? $(cat err)" "1 er_print: mpi_matrix: invalid argument 'both': use bytes or messages" 'an invalid argument'
done_testing
