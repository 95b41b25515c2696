#!/bin/sh
# The values of expressions compared with gprofng's and with those of C++, by filters_rules.py.

. "$TOP/tests/lib/tap.sh"

for needed in gp-display-text python3 g++ gcc; do
	if ! command -v $needed >/dev/null; then
		skip "there is no $needed" "rules are those of gprofng and C++"
		done_testing
	fi
done
exec python3 -B "$TESTDIR/filters_rules.py"
