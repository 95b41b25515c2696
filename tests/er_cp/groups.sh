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

run er_cp all.erg runs
run er_cp -gv all.erg runs
sed "s|$PWD|HERE|g" runs/all.erg
for name in test.1.er test.2.er big.er; do
	same_tree test.1.er runs/$name || echo "$name differs"
done
(cd / && er_print -header "$OLDPWD/runs/all.erg" 2>/dev/null | grep -c '^Experiment')
run er_cp -gv all.erg runs
run er_cp -gv all.erg runs/new.erg
rm -r runs/test.2.er
run er_cp -gv --rename all.erg runs/third.erg
ls runs
sed -i /big/d runs/new.erg
run er_cp -gv --rename runs/new.erg runs/third.erg
cat runs/third.erg
echo changed >runs/test.1.er/notes
run er_cp -gv all.erg runs/fourth.erg
ls runs
run er_cp -fgv all.erg runs
cmp test.1.er/notes runs/test.1.er/notes

run er_cp -g all.erg other/all.er
run er_cp -gT all.erg other
run er_cp -gv all.erg other/named.erg
run er_cp -gv twins.erg third
run er_cp -gv --rename twins.erg third
cat third/twins.erg
run er_cp -gv twice.erg same
cat same/twice.erg
run er_cp -gv --rename ways.erg same
cat same/ways.erg
run er_cp -g holes.erg last
ls last
run er_cp -g none.erg last
run er_cp -g odd.erg last
run er_cp -g missing.erg last
run er_cp -gn all.erg last
run er_cp -gv none.erg test.2.er last
run er_cp -g all.erg test.1.er
run er_cp -g all.erg test.1.er/all.erg
run er_cp -g all.erg ./all.erg
echo no | run er_cp -gi all.erg runs
echo changed >runs/test.1.er/notes
echo changed >runs/test.2.er/notes
printf 'y\nn\ny\n' | run er_cp -giv all.erg runs
cat runs/test.1.er/notes runs/test.2.er/notes
ls last
