#!/bin/sh
# Archivers of one founder running concurrently: no line or file is lost, and no file is half made.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

experiment test.1.er
library common.so 99
for i in 1 2 3 4 5 6 7 8; do
	library own$i.so $i
	experiment test.1.er/_f$i.er
	segment test.1.er/_f$i.er "$PWD/common.so"
	segment test.1.er/_f$i.er "$PWD/own$i.so"
done
for _ in 1 2 3 4 5; do
	rm -rf test.1.er/archives
	for i in 1 2 3 4 5 6 7 8; do
		er_archive -n test.1.er/_f$i.er 2>>err &
	done
	wait
	lines="$lines$(sed 1d test.1.er/archives/manifest | grep -c '^unverified') "
	files="$files$(find test.1.er/archives -type f | wc -l) "
done
is "$lines" "9 9 9 9 9 " "every object has its line, each time"
is "$files" "19 19 19 19 19 " "and its two files"
is "$(cat err)" "" "without complaints"
er_archive --check test.1.er
is $? 0 "the result is complete"

for _ in 1 2 3 4 5; do
	er_archive -F test.1.er 2>>err &
	for i in 1 2 3 4; do
		er_archive -n test.1.er/_f$i.er 2>>err &
	done
	er_archive -F test.1.er 2>>err &
	wait
done
is "$(cat err)" "" "renewing everything concurrently does no harm"
er_archive --check test.1.er
is "$? $(sed 1d test.1.er/archives/manifest | grep -c '^unverified')" "0 9" "nor the result"
er_archive test.1.er
is "$(find test.1.er -name '*part*' | wc -l)" 0 "and leaves nothing"
done_testing
