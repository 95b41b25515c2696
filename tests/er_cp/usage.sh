#!/bin/sh
# The options themselves: messages about wrong ones, after which nothing is done, and the habits of getopt.
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
make_experiment test.1.er

first() { # the message in front of the usage
	echo "\$ $*"
	{
		"$@" 2>&1
		echo "status $?"
	} | grep -v '^usage:\|^  '
}

er_cp --help
er_mv --help
# A usage error says what is wrong, and nothing is done.
first er_cp
first er_cp test.1.er
first er_cp --frobnicate test.1.er copy.er
first er_cp --no test.1.er copy.er
first er_cp -fX test.1.er copy.er
first er_cp --force=yes test.1.er copy.er
first er_cp test.1.er copy.er --threads
first er_cp --threads 0 test.1.er copy.er
first er_cp --threads 9 test.1.er copy.er
first er_cp --threads two test.1.er copy.er
first er_cp "--$(printf '\033[2J')" test.1.er copy.er | tail -2
first er_cp --sparse=some test.1.er copy.er
first er_cp --reflink always test.1.er copy.er
first er_cp --sync= test.1.er copy.er
first er_mv --frobnicate test.1.er copy.er
first er_mv test.1.er copy.er extra.er -Z
ls

echo "# -V and --help end the program, whatever follows"
first er_cp -f -V --frobnicate | sed 's/ [0-9.]*\.[0-9]*$/ VERSION/'
er_cp -f --help --frobnicate | head -1

echo "# options after operands, in clusters, abbreviated, and after --"
first er_cp test.1.er copy.er -vn
first er_cp -nv --th=2 test.1.er copy.er
mkdir ./-dir
cp -R test.1.er ./-v.er
first er_cp -v -- -v.er -dir
POSIXLY_CORRECT=1 first er_cp test.1.er copy.er -v
