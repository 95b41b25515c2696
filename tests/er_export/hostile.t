#!/bin/sh
# log.xml and map.xml empty, cut, nested 200,000 deep, or random: the text names the file and the place, shows
# what is readable, and ends soon.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/make-experiment" good.er || exit
er_export --text good.er >good.txt || exit

# expect FILE PATTERN TEXT: with test.er/FILE as it is now, the status is 1 and PATTERN on stderr.
expect() {
	timeout 10 er_export --text test.er >text 2>errors
	status=$?
	if [ $status = 1 ] && grep -q "^er_export: 'test.er': $1:$2" errors; then
		ok 0 "$3"
	else
		ok 1 "$3"
		note "status $status" "$(cat errors)"
	fi
}

spoil() { # FILE: a fresh experiment, whose FILE comes from stdin
	rm -rf test.er
	cp -R good.er test.er
	cat >"test.er/$1"
}

spoil log.xml </dev/null
expect log.xml ' no entry for the start of the program' 'an empty log is reported'
spoil map.xml </dev/null
expect map.xml ' the file is empty' 'an empty map is reported'
is "$(grep -c ^profile text)" 6 'records are shown without a map'

{ tr -d '\0' <good.er/log.xml; python3 -c 'print("<x>" * 200000)'; } | spoil log.xml
expect log.xml '[0-9]*: elements nested more than' 'a log nested 200,000 deep is named with its line'
is "$(grep -c ^profile text)" 6 'the part before it is read'
{ cat good.er/map.xml; python3 -c 'print("<event>" * 200000)'; } | spoil map.xml
expect map.xml '[0-9]*: elements nested more than' 'a map nested 200,000 deep is named with its line'

python3 -c '
import random, sys
random.seed(1)
sys.stdout.buffer.write(bytes(random.randrange(256) for i in range(300000)))' >random
spoil log.xml <random
expect log.xml '[0-9]*: ' 'a log of random bytes is named with its lines'
spoil map.xml <random
expect map.xml '[0-9]*: ' 'a map of random bytes is named with its lines'

# A cut within a tag or an element loses something, which is reported. A cut between them does not.
tr -d '\0' <good.er/log.xml >log
size=$(wc -c <log)
failed=0
cut=0
while [ $cut -lt "$size" ]; do
	head -c $cut log | spoil log.xml
	timeout 10 er_export --text test.er >text 2>errors
	status=$?
	if [ $status -gt 1 ] || { [ $status = 1 ] && ! grep -q "'test.er': log.xml:" errors; }; then
		note "cut at $cut: status $status" "$(cat errors)"
		failed=1
	fi
	cut=$((cut + 97))
done
ok $failed 'a log cut anywhere is named, or nothing is lost'

done_testing
