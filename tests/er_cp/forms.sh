#!/bin/sh
# The documented forms, and the operands they refuse.
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment test.1.er
mkdir runs plain plain.er
echo text >plain.er/thesis.tex
printf '#analyzer experiment group\ntest.1.er\n' >all.erg
: >file
ln -s test.1.er latest.er

run() {
	echo "\$ $*"
	echo "\$ $*" >&2
	"$@"
	echo "status $?"
	echo >&2
}

# Too few operands, or an unknown option, are a usage error.
run er_cp
er_cp test.1.er 2>/dev/null
echo "one operand: $?"
er_cp --frobnicate test.1.er copy.er 2>&1 | head -1
# A copy under a new name. A taken name is refused, also with a slash after it.
run er_cp -v test.1.er copy.er
run er_cp test.1.er copy.er
run er_cp test.1.er/ copy.er/
# Copies into a directory: -f replaces, --rename takes the next number, if the name has one.
run er_cp -v test.1.er copy.er runs
run er_cp -v test.1.er copy.er runs/
run er_cp -fv test.1.er runs
run er_cp -v --rename test.1.er runs
run er_cp --rename copy.er runs
# The last operand is a name with -T, and must be a directory for several.
run er_cp -T test.1.er runs
run er_cp test.1.er copy.er file
run er_cp test.1.er file
run er_cp test.1.er plain/nothing/copy.er
# Operands that are not experiments are refused, the others copied.
run er_cp missing.er other.er
run er_cp missing.er test.1.er runs/../plain
run er_cp plain.er other.er
run er_cp plain other.er
# Only experiments are replaced, even with -f.
run er_cp -f test.1.er plain.er
# Groups need -g; other hosts need a connection. A slash before the colon makes the name local.
run er_cp all.erg other.er
run er_cp -e false test.1.er desk:runs
run er_cp -T test.1.er desk:runs
run er_cp test.1.er ./a:b.er
# Experiments are not copied onto or into themselves, nor into others.
run er_cp test.1.er test.1.er
run er_cp test.1.er ./test.1.er
run er_cp test.1.er latest.er
run er_cp test.1.er test.1.er/_f7.er
run er_cp copy.er test.1.er/_f7.er
run er_cp copy.er test.1.er/archives
run er_cp -f test.1.er/_f1.er test.1.er
# A link is followed.
run er_cp -v latest.er linked.er
# A dry run writes nothing, and fails like the copy.
run er_cp -nv test.1.er planned.er
run er_cp -n test.1.er copy.er
# Copies without some of the parts, and a verified copy.
run er_cp -qv --no-archives --no-sync test.1.er bare.er
run er_cp -v --verify test.1.er verified.er
# A sub-experiment becomes an experiment of its own.
run er_cp -v test.1.er/_f1.er alone.er
# A question comes only before something is replaced.
echo no | run er_cp -iv test.1.er copy.er
echo yes | run er_cp -iv test.1.er copy.er
run er_cp -i test.1.er fresh.er
# Nothing else was made.
find . -maxdepth 2 -name '*.er' | LC_ALL=C sort
ls bare.er alone.er
cat alone.er/notes
