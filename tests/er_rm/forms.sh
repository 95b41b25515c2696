#!/bin/sh
# The documented forms, and the operands they refuse.
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
ln -s groups/some.erg link.erg
ln -s ../test.1.er groups/link.er

run() {
	echo "\$ $*"
	echo "\$ $*" >&2
	"$@" >out
	status=$?
	# Sizes on disk and ages differ between systems.
	sed 's/[0-9]* bytes on disk, [0-9]* [a-z]* old/SIZE, AGE/' out
	rm out
	echo "status $status"
	echo >&2
}

# An operand is needed.
run er_rm
# -n only says what would be removed; -f does not complain about missing experiments.
run er_rm -n test.1.er a.er
run er_rm a.er
run er_rm a.er
run er_rm -f a.er
# All operands are tried, even after a missing one.
run er_rm -v b.er/ a.er empty.er
# Directories and files that are not experiments stay.
run er_rm plain
run er_rm -f plain.er
run er_rm file.er
# A link is removed, and its target is kept.
run er_rm -n link.er
run er_rm link.er
run er_rm -n link.erg
run er_rm link.erg
run er_rm -v groups/link.er/
run er_rm -q dir_link.er
# A group is removed with its experiments; one that is already missing is a warning.
cp -a test.1.er groups/c.er
run er_rm -n groups/some.erg
run er_rm -v groups/some.erg
# A group is kept if one of its experiments is.
run er_rm odd.erg
# Files that are not groups, and missing ones.
run er_rm false.erg
run er_rm missing.erg
run er_rm -f missing.erg
# A sub-experiment is only removed with its founder.
run er_rm test.1.er/_f1.er
run er_rm -f test.1.er/_f1.er
# Questions: one for each, or a single one for more than three.
echo no | run er_rm -i f.er
echo y | run er_rm -iv f.er
for name in i j k l; do
	cp -a test.1.er $name.er
done
echo n | run er_rm -I i.er j.er k.er l.er
echo y | run er_rm -I i.er j.er k.er l.er
# Operands after --.
run er_rm -v -- g.er h.er
# Wrong values of choices are usage errors.
for value in --older-than=3y --newer-than= --larger-than=1kB --keep=0 --max-total=x --min-free=-1 \
	'--comment=(' --older-than --older-than=3; do
	er_rm "$value" 2>&1 | head -1
done
er_rm '--comment=(' test.1.er
echo "status $?"
# Nothing else was removed.
find . | grep -v './test.1.er/' | LC_ALL=C sort
