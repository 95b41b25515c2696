#!/bin/sh
# collect -M: the ranks of a job are descendants of its launcher, with their numbers; they behave as alone.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# refused STATUS WANTED TEXT COMMAND...
refused() {
	wanted="$1 $2"
	text=$3
	shift 3
	"$@" 2>err
	is "$? $(head -n 1 err)" "$wanted" "$text"
}
refused 2 "collect: -M: there is no '--' before the program, as in 'collect -M OPENMPI mpirun -np 2 -- ./a.out'" \
	'a command without --' collect -M OPENMPI true -np 2 true
refused 2 "collect: -M: there is no '--' before the program, as in 'collect -M OPENMPI mpirun -np 2 -- ./a.out'" \
	'nothing after --' collect -M OPENMPI true --
refused 2 "collect: -M: invalid argument 'LAM': use OPENMPI, MPICH, MVAPICH2, INTEL, PLATFORM, CT, OMPT, auto or off" \
	'an unknown library' collect -M LAM true -- true
refused 2 "collect: -M requires a launcher to start, and no -x" 'no launcher' collect -M MPICH -P $$
refused 2 "collect: --rank: invalid argument 'x:1:/y'" 'a damaged rank' collect --rank x:1:/y true
refused 1 "collect: --rank: the launcher has set no rank: neither OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK nor SLURM_PROCID" \
	'no rank' collect --rank "h:1:2:$PWD/x.er" true
is "$(ls -d -- *.er 2>&1)" "ls: cannot access '*.er': No such file or directory" 'nothing is made'

# A launcher like srun, which only sets the variable.
cat >launch <<'END'
#!/bin/sh
# launch COUNT COMMAND...: start the ranks of a job, and end with the highest status
count=$1
shift
processes=
for rank in $(seq 0 $((count - 1))); do
	SLURM_PROCID=$rank "$@" &
	processes="$processes $!"
done
status=0
for process in $processes; do
	wait "$process"
	ended=$?
	[ $ended -le $status ] || status=$ended
done
exit $status
END
cat >rank.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void use_tenths(int count)
{
	clock_t begun = clock();

	while (clock() - begun < count * CLOCKS_PER_SEC / 10)
		;
}

/* rank WORD: use 0.1 s of CPU time for each rank below this one and itself */
int main(int argc, char *argv[])
{
	int rank = atoi(getenv("SLURM_PROCID"));

	use_tenths(rank + 1);
	if (strcmp(argv[1], "die") == 0 && rank == 1)
		raise(SIGKILL);
	if (strcmp(argv[1], "fork") == 0 && fork() == 0) {
		use_tenths(1);
		return 0;
	}
	while (wait(NULL) > 0)
		;
	printf("%s %d\n", argv[1], rank);
	return rank == 2 ? 7 : 0;
}
END
chmod +x launch
${CC:-cc} -O1 -g -o rank rank.c || exit

collect -M auto -p hi -A copy -C 'a job' -o job.er ./launch 3 -- ./rank fork >out 2>err
is "$? $(sort out | tr '\n' ' ')" '7 fork 0 fork 1 fork 2 ' 'the job ends as alone'
is "$(cat err)" "collect: recording to 'job.er' (process $(sed -n 's/.*process \([0-9]*\).*/\1/p' err))" \
	'and one line names the experiment'
is "$(cd job.er && echo *.er)" 'M_r0.er M_r0_f1.er M_r1.er M_r1_f1.er M_r2.er M_r2_f1.er' \
	'the ranks and their processes are there'
is "$(cat job.er/notes) $(find job.er -name notes | wc -l)" 'a job 1' 'the notes are those of the job'
# seconds EXPERIMENT: its CPU time, in tenths of a second
seconds() {
	er_print -metrics e.totalcpu:name -functions "$1" | awk '/<Total>/ { printf "%.0f", $1 * 10 }'
}
is "$(for rank in 0 1 2; do seconds job.er/M_r$rank.er; done)" 123 'each rank has its own time'
is "$(seconds job.er)" 9 'the job has the sum'
is "$(er_print -functions job.er | grep -c launch)" 0 'and nothing of the launcher'
check 'they are archived at the end of the job' er_archive --check job.er
is "$(find job.er -path '*archives/rank_*' ! -name '*.archive' | wc -l)" 1 'once'
check 'gprofng opens the launcher' gp-display-text -header job.er
is "$(gp-display-text -functions job.er/M_r2.er 2>/dev/null | awk '$NF == "<Total>" { printf "%.0f", $1 * 10 }')" 3 \
	'and a rank'
er_export -q -o job.tar job.er && mkdir other && er_import -q -C other job.tar
is "$(er_print -functions other/job.er)" "$(er_print -functions job.er)" 'the job can be carried'

# Two programs: a launcher splits its line at ':'.
cat >launch2 <<'END'
#!/bin/sh
# launch2 COMMAND... : COMMAND...
first= rank=0
for word; do
	if [ "$word" = : ]; then
		SLURM_PROCID=$rank sh -c "$first" &
		first= rank=$((rank + 1))
	else
		first="$first '$word'"
	fi
done
SLURM_PROCID=$rank sh -c "$first" &
wait
END
chmod +x launch2
collect -M auto -p off -o both.er ./launch2 -- ./rank first : -- ./rank second -- >out 2>err
is "$? $(sort out | tr '\n' ' ')$(wc -l <err)" '0 first 0 second 1 1' 'several programs run as alone'
is "$(cd both.er && echo *.er) $(er_print -header both.er/M_r1.er | grep -c "rank second --")" 'M_r0.er M_r1.er 1' 'and all are recorded'
collect -M auto -p off -o one.er ./launch2 -- ./rank first : ./rank second >out 2>err
is "$? $(sort out | tr '\n' ' ')$(grep warning err)" "0 first 0 second 1 collect: warning: -M: a program after ':' is not recorded: \
there is no '--' before it" 'one without -- is not recorded'
is "$(cd one.er && echo *.er)" 'M_r0.er' 'and only the other one is there'

collect -M auto -o killed.er ./launch 2 -- ./rank die >out 2>err
is "$? $(cat out)" '137 die 0' 'a job with a killed rank ends as alone'
er_print -functions killed.er >functions 2>err
is "$? $(grep -c ' main$' functions)" '0 1' 'and is readable' || note "$(cat err)"

SLURM_PROCID=3 collect ./rank word >/dev/null 2>&1
check 'a process that a launcher started has its rank as the number' test -d test.3.er
SLURM_PROCID=7 collect -M auto -p off ./launch 1 -- true >/dev/null 2>&1
check 'a job within another one has not' test -d test.1.er/M_r0.er

# ---- launchers of real libraries ----

cat >sum.c <<'END'
#include <mpi.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
	int rank, size, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("rank %d of %d: %d %s\n", rank, size, sum, argv[1]);
	MPI_Finalize();
	return 0;
}
END
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# job NAME WORD
job() {
	if ! command -v "mpicc.$1" >/dev/null || ! command -v "mpirun.$1" >/dev/null; then
		for text in 'a job behaves as alone' 'each rank is there' 'two programs'; do
			skip "$1 is not installed" "$1: $text"
		done
		return
	fi
	"mpicc.$1" -g -o "sum.$1" sum.c || exit
	timeout 100 "mpirun.$1" -np 4 "./sum.$1" -- >alone
	timeout 100 collect -M "$2" -p hi -o "$1.er" "mpirun.$1" -np 4 -- "./sum.$1" -- >out 2>err
	is "$? $(sort out)" "0 $(sort alone)" "$1: a job behaves as alone"
	is "$(cd "$1.er" && echo M*.er)" 'M_r0.er M_r1.er M_r2.er M_r3.er' "$1: each rank is there"
	timeout 100 collect -M "$2" -p off -o "two$1.er" "mpirun.$1" -np 2 -- "./sum.$1" first : -np 1 -- "./sum.$1" second \
		>out 2>err
	is "$? $(sort out | tr '\n' ' ')$(cd "two$1.er" && echo M*.er)" \
		'0 rank 0 of 3: 3 first rank 1 of 3: 3 first rank 2 of 3: 3 second M_r0.er M_r1.er M_r2.er' "$1: two programs"
}
job openmpi OPENMPI
job mpich MPICH
done_testing
