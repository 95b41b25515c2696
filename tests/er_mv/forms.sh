#!/bin/sh
# The documented forms, and the operands they refuse.
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment test.1.er
cp -a test.1.er other.er
cp -a test.1.er third.er
mkdir runs plain.er
echo text >plain.er/thesis.tex
printf '#analyzer experiment group\ntest.1.er\n' >all.erg
ln -s other.er link.er

run() {
	echo "\$ $*"
	echo "\$ $*" >&2
	"$@"
	echo "status $?"
	echo >&2
}

# Too few operands are a usage error.
run er_mv
er_mv test.1.er 2>/dev/null
echo "one operand: $?"
# Moves to a new name, and into a directory.
run er_mv -v test.1.er new.er
run er_mv -v new.er/ runs
# Several experiments need a directory, which an experiment is not.
run er_mv other.er third.er runs/new.er
# A taken name is refused.
run er_mv other.er third.er
# Experiments are not moved onto or into themselves, nor into others.
run er_mv third.er third.er
run er_mv third.er ./third.er/
run er_mv third.er third.er/_f7.er
run er_mv other.er third.er/_f7.er
# A sub-experiment stays in its founder.
run er_mv third.er/_f1.er alone.er
# Operands that are not experiments are refused.
run er_mv plain.er moved.er
run er_mv -f third.er plain.er
run er_mv link.er moved.er
run er_mv missing.er moved.er
run er_mv all.erg moved.er
# Moves to another host need a connection; moves from one are refused.
run er_mv -e false third.er desk:runs
run er_mv desk:third.er .
# A missing directory is an error.
run er_mv third.er nowhere/third.er
# A dry run moves nothing.
run er_mv -nv third.er planned.er
# With -T the last operand is a name, even if it is a directory.
run er_mv -T third.er runs
# -i asks before a replacement; -f replaces.
echo no | run er_mv -iv third.er other.er
run er_mv -fv third.er other.er
# --rename takes the next free number.
run er_mv -v other.er runs/test.3.er
make_experiment test.3.er
run er_mv -v --rename test.3.er runs
# Nothing else is left.
find . -name '*.er' | LC_ALL=C sort
find . -name '.*.er.*'
