#!/bin/sh
# er_cp -g: a group with its experiments.
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment test.1.er
mkdir more same
cp -a test.1.er test.2.er
cp -a test.1.er more/big.er
cp -a test.1.er more/test.1.er
{
	echo '#analyzer experiment group, of Monday'
	echo '# the slow ones'
	printf 'test.1.er\ntest.2.er\n\n%s/more/big.er\n' "$PWD"
} >all.erg
printf '#analyzer experiment group\ntest.1.er\nmore/test.1.er\n' >twins.erg
printf '#analyzer experiment group\ntest.1.er\ngone.er\ntest.2.er\n' >holes.erg
printf '#analyzer experiment group\ntest.1.er\ntest.1.er\n' >twice.erg
printf '#analyzer experiment group\ntest.1.er\n./test.1.er\n' >ways.erg
printf '#analyzer experiment group\n' >none.erg
printf 'test.1.er\n' >odd.erg
mkdir runs other third last

run() {
	echo "\$ $*"
	echo "\$ $*" >&2
	"$@" >output 2>error
	status=$?
	sed "s|$PWD|HERE|g" output
	echo "status $status"
	sed "s|$PWD|HERE|g" error >&2
	echo >&2
}

# A group needs -g.
run er_cp all.erg runs
# The experiments and the group, with their new names.
run er_cp -gv all.erg runs
sed "s|$PWD|HERE|g" runs/all.erg
for name in test.1.er test.2.er big.er; do
	same_tree test.1.er runs/$name || echo "$name differs"
done
# The new group can be read from elsewhere.
(cd / && er_print -header "$OLDPWD/runs/all.erg" 2>/dev/null | grep -c '^Experiment')
# A taken group is refused. Under another name, identical experiments are kept.
run er_cp -gv all.erg runs
run er_cp -gv all.erg runs/new.erg
# --rename takes the next numbers. If an experiment has no number, the group is not written.
rm -r runs/test.2.er
run er_cp -gv --rename all.erg runs/third.erg
ls runs
sed -i /big/d runs/new.erg
run er_cp -gv --rename runs/new.erg runs/third.erg
cat runs/third.erg
# An experiment that differs is in the way: nothing is copied.
echo changed >runs/test.1.er/notes
run er_cp -gv all.erg runs/fourth.erg
ls runs
# With -f it is replaced.
run er_cp -fgv all.erg runs
cmp test.1.er/notes runs/test.1.er/notes

# A group needs a name for groups.
run er_cp -g all.erg other/all.er
run er_cp -gT all.erg other
run er_cp -gv all.erg other/named.erg
# Two experiments of one name need --rename.
run er_cp -gv twins.erg third
run er_cp -gv --rename twins.erg third
cat third/twins.erg
# An experiment that is named twice, or in two ways, is copied once.
run er_cp -gv twice.erg same
cat same/twice.erg
run er_cp -gv --rename ways.erg same
cat same/ways.erg
# A group with a missing experiment is not copied at all.
run er_cp -g holes.erg last
ls last
# An empty group is copied; files that are not groups, or missing, are refused.
run er_cp -g none.erg last
run er_cp -g odd.erg last
run er_cp -g missing.erg last
# A dry run writes nothing; a group that fails does not stop other operands.
run er_cp -gn all.erg last
run er_cp -gv none.erg test.2.er last
# A group does not go into an experiment, nor onto itself.
run er_cp -g all.erg test.1.er
run er_cp -g all.erg test.1.er/all.erg
run er_cp -g all.erg ./all.erg
# Answering no to the group ends it. Answering no to an experiment keeps that, and the group, as it was.
echo no | run er_cp -gi all.erg runs
echo changed >runs/test.1.er/notes
echo changed >runs/test.2.er/notes
printf 'y\nn\ny\n' | run er_cp -giv all.erg runs
cat runs/test.1.er/notes runs/test.2.er/notes
ls last
