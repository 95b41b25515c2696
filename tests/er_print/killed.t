#!/bin/sh
# A killed process ended with its last packet, if its samples ended before. A process that ended by itself has
# a time of its end.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/../er_export/make-experiment" test.er || exit
ended() {
	er_print -header test.er 2>/dev/null | sed -n "s/^$1: *//p" | head -n 1
}
is "$(ended 'Experiment Ended')" 1.000000000 'the exit is the end'
python3 - <<'END'
import re
with open('test.er/log.xml', 'rb') as log:
    text = log.read()
text = re.sub(rb'<event kind="exit"[^>]*>\n', b'', text)
text = re.sub(rb'<event kind="sample" tstamp="1[^>]*>\n', b'', text)
with open('test.er/log.xml', 'wb') as log:
    log.write(text)
END
rm test.er/overview
is "$(ended 'Experiment Ended')" 0.750000000 'without it the last packet is'
is "$(ended 'Data Collection Duration')" 0.750000000 'with the same duration'
"$TESTDIR/../er_export/make-experiment" sampled.er
sed '/kind="exit"/d' sampled.er/log.xml >log && cp log sampled.er/log.xml
rm -r test.er && mv sampled.er test.er
is "$(ended 'Experiment Ended')" 1.000000000 'unless the last sample is later'
done_testing
