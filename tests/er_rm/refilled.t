#!/bin/sh
# A user who keeps refilling an experiment during its removal can hold up neither er_rm nor its lock forever.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

work_in_memory
make_experiment original.er
PATH=$BUILD/tests/er_rm/programs:$PATH

fill() {
	fillers=
	for seed in 1 2 3 4; do
		refill runs/x.er $seed &
		fillers="$fillers $!"
	done
	for seed in 1 2 3 4; do
		until [ -e runs/x.er/_f${seed}500.er ]; do :; done
	done
}
mkdir runs
cp -a original.er runs/x.er
fill
timeout -s KILL 60 er_rm runs/x.er 2>err
is "$? $(sed "s/'[^']*del'/HIDDEN/" err)" \
	"1 er_rm: 'runs/x.er' was only partly removed, the rest is now HIDDEN: files are created in it faster than they can be removed" \
	'a removal ends although its experiment is refilled'
is "$(hidden runs | wc -l) $(find runs -name x.er)" '1 ' 'the rest is hidden'
timeout -s KILL 60 er_rm -r runs 2>err
is "$? $(sed "s/'[^']*del'/HIDDEN/" err)" \
	'1 er_rm: failed HIDDEN: files are created in it faster than they can be removed' \
	'and the next removal ends, too'
# shellcheck disable=SC2086
kill $fillers 2>/dev/null
wait 2>/dev/null
timeout -s KILL 60 er_rm -r runs
is "$? $(find runs -mindepth 1)" '0 ' 'once it is no longer refilled, it is removed'
done_testing
