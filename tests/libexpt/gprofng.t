#!/bin/sh
# The rows of objects compared with gprofng's, by gprofng_rows.py.

. "$TOP/tests/lib/tap.sh"

for needed in gp-display-text python3 g++ er_print; do
	if ! command -v $needed >/dev/null; then
		skip "there is no $needed" "rows are those of gprofng"
		done_testing
	fi
done
exec python3 -B "$TESTDIR/gprofng_rows.py"
