#!/bin/sh
# Recordings killed at random moments have lost none of the program's calls. KILLS=200: make kills.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

KILLS=${KILLS:-20}
seed=${SEED:-$$}
python3 "$TESTDIR/kills.py" "$BUILD/tests/collector/programs/counted" "$KILLS" "$seed" >found 2>&1
is "$?" 0 "$KILLS recordings were killed, seed $seed"
is "$(sed '$d' found)" "" \
	"every completed call is recorded, none that was not begun, and every reader opens the rest"
tail -n 1 found | sed 's/^/# /'
# shellcheck disable=SC2016 # for awk
check "there was something to lose" awk -v kills="$KILLS" '{ line = $0 }
	END { split(line, word, " "); exit !(word[1] == kills && word[3] > 1000 && word[10] > 0) }' found
done_testing
