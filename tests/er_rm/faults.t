#!/bin/sh
# At whatever call er_rm is killed or meets an error, the experiment is whole or out of sight, and the
# next er_rm leaves nothing of it.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/faults.sh
. "$TOP/tests/lib/faults.sh"

make_experiment original.er
list_tree original.er >expected

prepare() {
	rm -rf a.er
	cp -a original.er a.er
}

holds() {
	if [ -e a.er ]; then
		list_tree a.er | diff expected - || return 1
		if [ "$1" = 0 ]; then
			echo 'status 0, but it is there'
			return 1
		fi
	fi
	if [ -e a.er ] || [ -n "$(hidden .)" ]; then
		er_rm a.er || return 1
	fi
	[ ! -e a.er ] && [ -z "$(hidden .)" ]
}

sweep_all 'whole or gone:' 10 er_rm a.er

done_sweeping
