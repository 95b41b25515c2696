#!/bin/sh
# A job of 64 ranks goes to another host as a whole: each rank opens there, and the load objects are archived once.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/sshd.sh
. "$TOP/tests/lib/sshd.sh"
runs=$FAR/runs
ranks=64

cat >work.c <<'END'
#include <time.h>

int main(void)
{
	clock_t begun = clock();

	while (clock() - begun < CLOCKS_PER_SEC / 50)
		;
	return 0;
}
END
cat >launch <<END
#!/bin/sh
for rank in \$(seq 0 $((ranks - 1))); do
	SLURM_PROCID=\$rank "\$@" &
done
wait
END
chmod +x launch
cc -g -O1 -o work work.c
collect -M auto -p hi -A copy -o job.er ./launch -- ./work 2>err
is "$? $(find job.er -name 'M_r*.er' | wc -l)" "0 $ranks" 'all ranks are recorded' || note "$(cat err)"
# The list of ranks begins with the path.
figures() { # EXPERIMENT
	er_print -functions -mpi_ranks "$1" 2>err | grep -v '^Ranks: '
}
figures job.er >here

# arrived NAME: it is as here
arrived() {
	is "$(find "$runs/$1" -name 'work_*' ! -name '*.archive' | wc -l) $(find "$runs/$1" -mindepth 2 -name archives | wc -l)" \
		'1 0' "$1: load objects are archived once"
	check "$1: all of them" er_archive --check "$runs/$1"
	failed=
	for rank in $(seq 0 $((ranks - 1))); do
		er_print -header "$runs/$1/M_r$rank.er" >/dev/null 2>err || failed="$failed $rank: $(cat err)"
	done
	is "$failed" '' "$1: each rank opens"
	is "$(figures "$runs/$1")" "$(cat here)" "$1: with the same figures"
	is "$(hidden "$runs")" '' "$1: nothing else is there"
}

rm -f work
er_cp -q job.er desk:runs 2>err
is "$? $(cat err)" '0 ' 'to a host that has erkit'
arrived job.er
mkdir back
er_cp -q desk:runs/job.er back 2>err
is "$? $(cat err) $(figures back/job.er)" "0  $(cat here)" 'and back'
rm -rf "$runs/job.er"
er_cp -q job.er bare:runs 2>err
is "$? $(cat err)" '0 ' 'to one that has not'
arrived job.er
done_testing
