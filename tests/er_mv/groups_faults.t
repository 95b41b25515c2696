#!/bin/sh
# At whichever call the move of a group is killed or meets an error: every experiment is whole at one place, a
# group file that exists names them where they are, and the same command run again is enough.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/faults.sh
. "$TOP/tests/lib/faults.sh"

if memory=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null); then
	trap 'rm -rf "$memory"' EXIT
	cd "$memory" || exit 1
fi
mkdir origin
make_experiment origin/test.1.er
rm -r origin/test.1.er/jdynclasses
mkdir origin/more
cp -a origin/test.1.er origin/more/big.er
list_tree origin/test.1.er >expected
printf '#analyzer experiment group\ntest.1.er\nmore/big.er\n' >origin/all.erg
printf '#analyzer experiment group\ntest.1.er\nbig.er\n' >expected.erg

is_whole() {
	list_tree "$1" | diff expected -
}

prepare() {
	rm -rf all.erg test.1.er more runs
	cp -a origin/. .
	mkdir runs
}

# After a kill between a rename and the line in the group, one name may be the old one.
names_are_right() { # GROUP DIRECTORY
	missing=0
	while read -r member; do
		[ -e "$2/$member" ] || [ "${member#\#}" != "$member" ] || missing=$((missing + 1))
	done <"$1"
	[ "$missing" -le 1 ]
}

is_done() {
	is_whole runs/test.1.er && is_whole runs/big.er && cmp runs/all.erg expected.erg &&
		[ ! -e all.erg ] && [ ! -e test.1.er ] && [ ! -e more/big.er ] &&
		[ -z "$(hidden .)$(hidden more)$(hidden runs)" ]
}

holds() {
	if [ "$1" = 0 ]; then
		is_done
		return
	fi
	for name in test.1.er big.er; do
		for place in $name more/$name runs/$name; do
			[ ! -e "$place" ] || is_whole "$place" || return 1
		done
	done
	if [ -e all.erg ]; then
		names_are_right all.erg . || return 1
	fi
	if [ -e runs/all.erg ]; then
		names_are_right runs/all.erg runs || return 1
	fi
	[ -e all.erg ] || { is_done; return; }
	er_mv -g all.erg runs && is_done
}

sweep_all 'nothing is lost, and it goes on:' 40 er_mv -g all.erg runs

# A copy: the group appears once all experiments are there.
is_done() {
	is_whole runs/test.1.er && is_whole runs/big.er && cmp runs/all.erg expected.erg &&
		[ -z "$(hidden .)$(hidden more)$(hidden runs)" ]
}

holds() {
	cmp origin/all.erg all.erg && is_whole test.1.er && is_whole more/big.er || return 1
	if [ "$1" = 0 ] || [ -e runs/all.erg ]; then
		is_whole runs/test.1.er && is_whole runs/big.er && cmp runs/all.erg expected.erg
		return
	fi
	er_cp -g all.erg runs && is_done
}

sweep_all 'a copy, the group is whole or absent, and it goes on:' 50 er_cp -g all.erg runs

# The groups that name a single moved experiment.
prepare() {
	rm -rf all.erg test.1.er more runs
	cp -a origin/. .
	mkdir runs
}
printf '#analyzer experiment group\nruns/test.1.er\nmore/big.er\n' >expected.erg

# If the current directory could not be determined, the new name is absolute.
names_are_new() {
	sed "s|^$PWD/||" all.erg | cmp - expected.erg
}

holds() {
	if [ "$1" != 0 ] && ! names_are_new; then
		cmp all.erg origin/all.erg || return 1
		if [ -e test.1.er ] || [ -e runs/test.1.er ]; then
			er_mv test.1.er runs --fix-groups all.erg || return 1
		fi
	fi
	is_whole runs/test.1.er && names_are_new && [ -z "$(hidden .)$(hidden runs)" ]
}
sweep_all 'the group follows at last:' 13 er_mv --fix-groups all.erg -- test.1.er runs
done_sweeping
