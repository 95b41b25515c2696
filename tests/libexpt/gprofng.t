#!/bin/sh
# The rows of objects beside those of gprofng: gprofng_rows.py does it.

. "$TOP/tests/lib/tap.sh"

for needed in gp-display-text python3 g++ er_print; do
	if ! command -v $needed >/dev/null; then
		skip "there is no $needed" "rows are those of gprofng"
		done_testing
	fi
done
exec python3 -B "$TESTDIR/gprofng_rows.py"
