#!/bin/sh
# A group that names a group, possibly itself, is refused by all programs before they do anything.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment a.er
make_experiment b.er
mkdir elsewhere
printf '#analyzer experiment group\na.er\nself.erg\nb.er\n' >self.erg
printf '#analyzer experiment group\na.er\ntwo.erg\n' >one.erg
printf '#analyzer experiment group\n./one.erg\n' >two.erg
state() {
	find . -exec ls -ld --time-style=full-iso {} + | sort
}
state >../before

refused() { # GROUP MEMBER COMMAND...
	group=$1 member=$2
	shift 2
	"$@" >../out 2>../err </dev/null
	is "$? $(cat ../err)" \
		"1 $1: '$group' contains the group '$member': a group can contain only experiments" "$*"
	state >../after
	cmp -s ../before ../after || ok 1 "it changes nothing"
}

for command in 'er_cp -g' 'er_cp -fg --rename' 'er_mv -g' 'er_mv -fg'; do
	# shellcheck disable=SC2086
	refused self.erg self.erg $command self.erg elsewhere
	# shellcheck disable=SC2086
	refused one.erg two.erg $command one.erg elsewhere/new.erg
done
for command in er_rm 'er_rm -f' 'er_rm -n' 'er_rm -r --keep=1' er_archive 'er_archive --check' \
	er_export 'er_export --text' 'er_export -o all.tar' 'er_print -header'; do
	# shellcheck disable=SC2086
	refused self.erg self.erg $command self.erg
	# shellcheck disable=SC2086
	refused two.erg ./one.erg $command two.erg
done
refused self.erg self.erg er_mv a.er c.er --fix-groups self.erg
done_testing
