#!/bin/sh
# The documented forms, and what they refuse.
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment test.1.er
for name in a b c d e f g h; do
	cp -a test.1.er $name.er
done
mkdir empty.er plain plain.er groups
echo text >plain.er/thesis.tex
echo text >file.er
ln -s test.1.er link.er
ln -s plain dir_link.er
printf '#analyzer experiment group\nc.er\nmissing.er\n../d.er\n' >groups/some.erg
printf '#analyzer experiment group\nplain.er\ne.er\n' >odd.erg
printf 'no group\ntest.1.er\n' >false.erg

run() {
	echo "\$ $*"
	echo "\$ $*" >&2
	"$@"
	echo "status $?"
	echo >&2
}

run er_rm
run er_rm -n test.1.er a.er
run er_rm a.er
run er_rm a.er
run er_rm -f a.er
run er_rm -v b.er/ a.er empty.er
run er_rm plain
run er_rm -f plain.er
run er_rm file.er
run er_rm link.er
run er_rm -q dir_link.er
cp -a test.1.er groups/c.er
run er_rm -n groups/some.erg
run er_rm -v groups/some.erg
run er_rm odd.erg
run er_rm false.erg
run er_rm missing.erg
run er_rm -f missing.erg
run er_rm test.1.er/_f1.er
echo no | run er_rm -i f.er
echo y | run er_rm -iv f.er
run er_rm -v -- g.er h.er
find . | grep -v './test.1.er/' | LC_ALL=C sort
