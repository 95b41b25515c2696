#!/bin/sh
# er_import --into: ranks that were recorded apart become descendants of one founder, with their archives.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

cat >rank.c <<'SOURCE'
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void __attribute__((noinline)) NAME(void)
{
	clock_t begun = clock();

	while (clock() - begun < CLOCKS_PER_SEC / 20)
		;
}

int main(void)
{
	NAME();
	if (fork() == 0) {
		NAME();
		_exit(0);
	}
	wait(NULL);
	return 0;
}
SOURCE
cat >launch <<'SOURCE'
#!/bin/sh
SLURM_PROCID=0 "$@"
SOURCE
chmod +x launch
mkdir far

# record RANK NAME: a rank on another host, where the function of the program has this name
record() {
	cc -w -g -O1 -DNAME="$2" -o rank rank.c
	SLURM_PROCID=$1 collect -p hi -A copy --rank "other:1:2:$PWD/far/job.er" ./rank 2>err
	is "$? $(ls -d far/job."$1".er)" "0 far/job.$1.er" "rank $1 is recorded where its founder is not" || note "$(cat err)"
}

# names EXPERIMENT: its functions, and those of descendants
names() {
	er_print -functions "$1" 2>&1 | awk '$NF ~ /^spin_/ { print $NF }' | sort | tr '\n' ' '
}

cc -w -g -O1 -DNAME=spin_first -o rank rank.c
collect -M auto -p hi -A copy -o job.er ./launch -- ./rank 2>err
record 1 spin_first
record 2 spin_second
record 3 spin_second
rm rank
er_export -q -o far.tar.zst far/job.1.er far/job.2.er far/job.3.er
er_import --into=job.er far.tar.zst >out 2>&1
is "$? $(cat out)" '0 ' 'the ranks are imported'
is "$(cd job.er && echo *.er)" 'M_r0.er M_r0_f1.er M_r1.er M_r1_f1.er M_r2.er M_r2_f1.er M_r3.er M_r3_f1.er' \
	'they and their processes are descendants'
is "$(find job.er -name 'rank*' ! -name '*.archive' | wc -l) $(find job.er/M_r* -name archives | wc -l)" '2 0' \
	'both versions of the program are archived once'
check 'all is archived' er_archive --check job.er
is "$(names job.er/M_r1.er)$(names job.er/M_r3.er)$(names job.er/M_r3_f1.er)" 'spin_first spin_second spin_second ' \
	'each rank has the functions of its program'
is "$(names job.er)" 'spin_first spin_second ' 'the job has both'
for rank in 1 2 3; do
	is "$(er_print -functions job.er/M_r$rank.er)" "$(er_print -en_desc off -functions far/job.$rank.er)" "rank $rank is as before"
done
if command -v gp-display-text >/dev/null; then
	is "$(gp-display-text -functions job.er/M_r2.er 2>/dev/null | grep -c '<Total>')" 1 'gprofng opens a rank'
else
	skip 'gprofng is not installed' 'gprofng opens a rank'
fi
is "$(er_print -mpi_ranks job.er | awk '$NF != "<Total>" && $1 ~ /^[0-9]+$/ { print $1 }' | tr '\n' ' ')" '0 1 2 3 ' 'they are ranks of the job'

er_import --into=job.er far.tar.zst >out 2>&1
is "$? $(cat out)" "1 er_import: 'far.tar.zst': cannot create 'job.er/M_r1.er': File exists" 'a rank that is there is kept'
is "$(find job.er -name '.*' | wc -l) $(names job.er)" '0 spin_first spin_second ' 'and nothing is left behind'
er_import -f --into=job.er far.tar.zst >out 2>&1
is "$? $(cat out)" '0 ' 'or replaced, with -f'
is "$(cd job.er && echo *.er)" 'M_r0.er M_r0_f1.er M_r1.er M_r1_f1.er M_r2.er M_r2_f1.er M_r3.er M_r3_f1.er' 'with its processes'
check 'all is still archived' er_archive --check job.er

er_rm -f -q job.er/M_r1.er 2>/dev/null || rm -r job.er/M_r1.er
er_export -q -o one.tar far/job.1.er
er_import --into=job.er one.tar >out 2>&1
is "$? $(cat out) $(names job.er/M_r1.er)" '0  spin_first ' 'an import that was interrupted is made again'

er_import -n --into=job.er one.tar >out 2>&1
is "$? $(find job.er -name '.*' | wc -l)" '0 0' '-n writes nothing'

# refused STATUS TEXT COMMAND...
refused() {
	wanted=$1
	text=$2
	shift 2
	"$@" >out 2>&1
	is "$? $(head -n 1 out)" "$wanted" "$text"
}
collect -p off -A off -o plain.er true 2>err
er_export -q -o plain.tar plain.er
refused "1 er_import: 'plain.tar': 'plain.er' is not a rank of an MPI job" 'an experiment that is no rank' \
	er_import --into=job.er plain.tar
refused "1 er_import: 'one.tar': cannot open 'none.er': No such file or directory" 'no founder' er_import --into=none.er one.tar
refused "1 er_import: 'one.tar': 'job.er/M_r0.er' is part of another experiment" 'a descendant' \
	er_import --into=job.er/M_r0.er one.tar
refused '2 er_import: --into excludes -C and --rename' 'another directory' er_import --into=job.er -C far one.tar
er_export -q -o job.tar job.er
refused "1 er_import: 'job.tar': 'job.er' is not a rank of an MPI job" 'a job' er_import --into=job.er job.tar
is "$(find job.er plain.er -name '.*' | wc -l)" 0 'nothing is left behind'

# ---- a job that is still recorded, or in use ----

# A live one may write into its files.
files() { # FOUNDER
	find "$1" -printf '%P %i\n' | sort
}

cat >waits <<'SOURCE'
#!/bin/sh
# The first tick of the clock makes the experiment.
i=0
while [ $i -lt 30000 ]; do
	i=$((i + 1))
done
: >"begun.$SLURM_PROCID"
read -r _ <"stop.$SLURM_PROCID"
SOURCE
mkfifo stop.0 stop.1
cat >launch <<'SOURCE'
#!/bin/sh
# Rank 1 goes on when the launcher has ended.
SLURM_PROCID=1 "$@" >/dev/null 2>&1 &
SLURM_PROCID=0 "$@"
SOURCE
chmod +x waits launch
awaits() { # FILE
	tries=0
	until [ -e "$1" ] || [ $tries -gt 3000 ]; do
		sleep 0.01
		tries=$((tries + 1))
	done
}
# keeps_live TEXT: nothing is changed, whatever the options
keeps_live() {
	files live.er >before
	for options in '' -f -n --verify; do
		# shellcheck disable=SC2086
		er_import $options --into=live.er one.tar >out 2>&1
		is "$? $(cat out) $(files live.er | diff before -)" \
			"1 er_import: 'one.tar': 'live.er' is still being recorded " "$1, with '$options'"
	done
}
collect -M auto -p hi -S off -A off -o live.er ./launch -- ./waits 2>err &
job=$!
awaits begun.0
awaits begun.1
keeps_live 'a job that is being recorded'
rank=$(sed -n 's/.* pid="\([0-9]*\)".*/\1/p' live.er/M_r1.er/log.xml | head -n 1)
: >stop.0
wait $job
keeps_live 'a job of which a rank is being recorded'
: >stop.1
while kill -0 "$rank" 2>/dev/null; do
	sleep 0.01
done
if flock live.er true 2>/dev/null; then
	files live.er >before
	flock live.er er_import -f --into=live.er one.tar >out 2>&1
	is "$? $(cat out) $(files live.er | diff before -)" "1 er_import: 'one.tar': 'live.er' is in use " 'a founder that is in use'
else
	skip 'there is no flock(1)' 'a founder that is in use'
fi
er_import -f --into=live.er one.tar >out 2>&1
is "$? $(cat out) $(names live.er/M_r1.er)" '0  spin_first ' 'when it has ended, the rank is replaced'
done_testing
