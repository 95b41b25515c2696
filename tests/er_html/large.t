#!/bin/sh
# A page of many events: it stays small, and a range of whole parts of the run has the figures of er_print.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TOP/tests/lib/large-experiment" samples large.er 600000 2000 64
check 'a page' er_html -q -o page.html large.er
size=$(stat -c %s page.html)
check "it has less than 5 MB: $size" test "$size" -lt 5000000
if ! PYTHONPATH=$TESTDIR python3 -c 'import browser, sys; sys.exit(not browser.find())'; then
	skip 'there is no Chromium' 'the page in a browser'
	done_testing
fi
PYTHONPATH=$TESTDIR timeout -k 5 300 python3 "$TESTDIR/large.py" page.html large.er >tried 2>err
is "$? $(cat err)" '0 ' 'all is tried'
while read -r result text; do
	case $result in
	good) ok 0 "$text" ;;
	bad) ok 1 "$text" ;;
	*) note "$text" ;;
	esac
done <tried
done_testing
