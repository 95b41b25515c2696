#!/bin/sh
# er_mv -g: a group with its experiments; and --fix-groups: groups that name a moved experiment.
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

shm=$(mktemp -d /dev/shm/erkit-test.XXXXXX) || exit
trap 'rm -rf "$shm"' EXIT

make() {
	rm -rf ./*.er ./*.erg more runs
	mkdir more runs
	make_experiment test.1.er
	cp -a test.1.er test.2.er
	cp -a test.1.er more/big.er
	printf '#analyzer experiment group\n# slow\ntest.1.er\ntest.2.er\nmore/big.er\n' >all.erg
	printf '#analyzer experiment group\n%s/test.1.er\ntest.2.er\n' "$PWD" >own.erg
}

run() {
	echo "\$ $*" | names
	echo "\$ $*" | names >&2
	"$@" >output 2>error
	status=$?
	names output
	echo "status $status"
	names error >&2
	echo >&2
}

names() {
	sed "s|$PWD|HERE|g; s|$shm|SHM|g" "$@"
}

tree() {
	find . -name '*.er' ! -name '_*' -o -name '*.erg' | LC_ALL=C sort | xargs
}

# A group needs -g; its experiments and its file are moved.
make
run er_mv all.erg runs
run er_mv -gv all.erg runs
names runs/all.erg
tree
echo '# moved back, under another name'
run er_mv -gv runs/all.erg ./back.erg
names back.erg
tree
echo '# renamed in its directory'
run er_mv -gv back.erg all.erg
tree

# If one experiment cannot move, none does.
make
echo '# an experiment with the new name is in the way'
mkdir runs/test.2.er
touch runs/test.2.er/thesis.tex
run er_mv -g all.erg runs
names all.erg
tree
rm -r runs/test.2.er
run er_mv -gv all.erg runs
names runs/all.erg
tree

# A dry run moves nothing. Moving a group to its own name only brings its experiments beside it.
make
run er_mv -gn all.erg runs
tree
run er_mv -g all.erg all.erg
names all.erg
tree

# --fix-groups changes the lines of the experiment, relative or absolute like the old ones.
make
echo '# groups that name a moved experiment'
run er_mv -v --fix-groups all.erg own.erg -- test.1.er runs
names all.erg
names own.erg
run er_mv --fix-groups=all.erg --fix-groups=own.erg test.2.er "runs/a name.er"
names all.erg
names own.erg
run er_mv runs/test.1.er "$shm/test.1.er" --fix-groups all.erg
names all.erg
run er_mv -v "$shm/test.1.er" test.1.er --fix-groups all.erg
names all.erg
er_print -header all.erg 2>/dev/null | grep -c '^Experiment'

# A file that is not a group, or missing, stops the move.
echo '# files that are not groups'
echo nothing >odd.erg
run er_mv --fix-groups odd.erg all.erg -- test.1.er runs
run er_mv --fix-groups missing.erg -- test.1.er runs
er_mv test.1.er runs --fix-groups 2>&1 | head -1
tree

# Run again, the same command completes the groups.
echo '# moved, and interrupted before the groups were changed'
mv test.1.er runs
run er_mv --fix-groups all.erg -- test.1.er runs
names all.erg
run er_mv --fix-groups all.erg -- test.1.er runs
run er_mv -n --fix-groups all.erg -- runs/test.1.er .
names all.erg
