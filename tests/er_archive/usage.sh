# shellcheck shell=sh
# Wrong command lines, and operands that are not experiments.
run() {
	echo "\$ er_archive $*"
	er_archive "$@" 2>&1
	echo "status $?"
}

mkdir plain plain.er test.1.er
echo >test.1.er/map.xml
: >test.1.er/log.xml
: >file.er
ln -s nowhere link.er
# The command line: no operand, help, unknown options and values.
run
run --help
run -x test.1.er
run -a
run -a most test.1.er
run -s some test.1.er
run -m "[" test.1.er
# Operands that are not experiments.
run plain
run plain.er
run missing.er
run file.er
run link.er
run none.erg
# The remaining operands are still processed.
run -a on missing.er test.1.er/// --check
