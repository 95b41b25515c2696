#!/bin/sh
# At whichever call er_rm is killed or meets an error, the experiment is whole or out of sight, and the next
# er_rm leaves nothing of it.
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

# Choosing: an experiment to be kept is whole, whatever fails while it is examined; and a status of 0 means
# that the others are gone.
ended() { # NAME.er END
	cp -a original.er "$1"
	{
		echo '<experiment version="12.4"><process pid="7"/>'
		echo "<event kind=\"run\" tstamp=\"5.0\" time=\"$2\"/>"
		echo '<event kind="exit" tstamp="10.0"/></experiment>'
	} >"$1/log.xml"
	cp "$1/log.xml" "$1/_f1.er"
}
mkdir model
ended model/test.1.er 1600000000
ended model/test.2.er 1600001000
ended model/test.3.er 1600002000
ended model/noted.er 1500000000
rm model/test.?.er/notes
# The newest has the oldest files, so that er_rm must not use their times if it cannot read the log.
find model/test.3.er -exec touch -h -d '2001-01-01' {} +

# shellcheck disable=SC2317
prepare() {
	rm -rf runs
	cp -a model runs
}

# shellcheck disable=SC2317
holds() {
	same_tree model/test.3.er runs/test.3.er && same_tree model/noted.er runs/noted.er || return 1
	for name in test.1.er test.2.er; do
		[ -e runs/$name ] || continue
		same_tree model/$name runs/$name || return 1
		if [ "$1" = 0 ]; then
			echo "status 0, but $name is there"
			return 1
		fi
	done
	er_rm -r --keep 1 --keep-notes --max-total 0 runs || return 1
	[ "$(cd runs && echo * .*.er*)" = 'noted.er test.3.er .*.er*' ]
}

set -- er_rm -r --keep 1 --keep-notes --max-total 0 runs
sweep_all 'choosing:' 30 "$@"
sweep 'choosing: ENOMEM' 30 -e ENOMEM -- "$@"

done_sweeping
