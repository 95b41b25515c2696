#!/bin/sh
# A job of 64 ranks on few processors: it ends as alone, each rank opens, and the job is archived, copied and carried as a
# whole.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
ranks=64

cat >gather.c <<'END'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	int rank, size, sum = 0, bytes[64] = { 0 };

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 1; rank == 0 && i < size; i++)
		MPI_Recv(bytes, 64, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank != 0)
		MPI_Send(bytes, rank, MPI_INT, 0, rank, MPI_COMM_WORLD);
	MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d\n", sum);
	return MPI_Finalize();
}
END

for library in openmpi mpich; do
	if ! command -v mpicc.$library >/dev/null; then
		skip "there is no mpicc.$library" "many ranks with $library"
		continue
	fi
	mpicc.$library -w -g -o gather gather.c
	rm -rf job.er other copy job.tar.zst
	timeout 300 collect -A copy -o job.er -M auto "mpirun.$library" -np $ranks -- ./gather >out 2>err
	is "$? $(cat out) $(find job.er -name 'M_r*.er' | wc -l)" "0 $((ranks * (ranks - 1) / 2)) $ranks" "$library: all ranks are recorded" ||
		note "$(cat err)"
	failed=
	for rank in $(seq 0 $((ranks - 1))); do
		er_print -header "job.er/M_r$rank.er" >/dev/null 2>err || failed="$failed $rank: $(cat err)"
	done
	is "$failed" '' "$library: each rank opens"
	if command -v gp-display-text >/dev/null; then
		is "$(gp-display-text -functions job.er/M_r$((ranks - 1)).er 2>&1 | grep -c '<Total>')" 1 "$library: in gprofng, too"
		check "$library: and the job" gp-display-text -header job.er
	else
		skip 'gprofng is not installed' "$library: in gprofng"
	fi
	er_print -mpi_messages job.er >messages 2>&1
	is "$(awk '$1 == 1 && $3 == 1 && $5 == 1 && $10 == 0 && $2 == 4 * $8 && $4 == $2' messages | wc -l)" $((ranks - 1)) \
		"$library: each message is there" || note "$(head messages)"
	is "$(find job.er -path '*archives/*' -name 'gather_*' ! -name '*.archive' | wc -l) $(find job.er/M_r*.er -path '*archives/*' -name 'libc*' | wc -l)" \
		'1 0' "$library: load objects are archived once"
	check "$library: all of them" er_archive --check job.er
	check "$library: the job is copied" er_cp -q job.er copy.er
	is "$(er_print -mpi_messages copy.er | tail -n +2)" "$(tail -n +2 messages)" "$library: with all messages"
	rm -rf copy.er
	er_export -q -o job.tar.zst job.er && mkdir other && er_import -q -C other job.tar.zst
	is "$? $(er_print -mpi_messages other/job.er | tail -n +2)" "0 $(tail -n +2 messages)" "$library: the job is carried"
	check "$library: and removed" er_rm -f job.er
	is "$(ls -d job.er 2>&1)" "ls: cannot access 'job.er': No such file or directory" "$library: as a whole"
done
done_testing
