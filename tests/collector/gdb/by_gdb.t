#!/bin/sh
# collect --gdb -P: gdb begins and ends the recording.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"
PATH=$BUILD/tests/collect/programs:$PATH

attached malloc >out &
process=$!

is "$(collect -n --gdb -p hi -L x -P $process 2>&1)" "$(collect -L x true 2>&1)" "options are checked as ever"
collect -n --gdb -p hi -s 100 -H on -S off -A off -L 10 -d . -o by.er -g all.erg -P $process >commands 2>message
is "$? $(cat message) $(sed "s|$BUILD|BUILD|; s/$process/N/" commands)" "0  set print thread-events off
set print inferior-events off
source BUILD/lib/erkit/gdb/collector.py
attach N
collector profile timer hi
collector synctrace threshold 100
collector synctrace on
collector heaptrace on
collector sample manual
collector archive off
collector limit 10
collector store directory .
collector store experiment by.er
collector store group all.erg
collector enable
detach" "-n prints the commands"
is "$(echo *)" "commands message out" "and does nothing"
is "$(collect -n --gdb -h page-faults,7 -H 16-64 -h minor-faults -a copy -P $process | sed -n '/^collector/p')" \
	"collector hwprofile counter page-faults,7,minor-faults
collector hwprofile on
collector heaptrace 16-64
collector archive copy
collector enable" "several counters, sizes of blocks, and the other letter of -A"
for words in "--gdb true" "--gdb -C text -P $process" "--gdb -t 1-2 -P $process" "--gdb -y 10 -P $process" \
	"--gdb -O x.er -P $process" "--gdb -d nowhere -P $process"; do
	# shellcheck disable=SC2086 # options
	collect $words 2>message
	echo "$? $(cat message)"
done >said
is "$(cat said)" "2 collect: --gdb requires -P
2 collect: -C cannot be used with --gdb: gdb has no command for it
2 collect: -t with a start cannot be used with --gdb
2 collect: -y cannot be used with --gdb: gdb has no command for it
2 collect: --overwrite cannot be used with --gdb
1 collect: cannot record into 'nowhere': No such file or directory" "what gdb has no command for is refused"
mkdir 'one '
collect --gdb -d 'one ' -P $process 2>message
is "$? $(cat message)" "2 collect: -d 'one ' cannot be used with --gdb: gdb would read it differently" "and so is what gdb would not read as it is"
rmdir 'one '
(
	PATH=$BUILD/bin
	collect --gdb -P $process 2>message
	echo $?
) >said
is "$(cat said message)" "1
collect: cannot run gdb: No such file or directory" "without gdb it says so"

gdb -nx -q -batch -p $process -ex 'shell touch traced; until [ -e over ]; do sleep 0.05; done' >/dev/null 2>&1 &
tracer=$!
until [ -e traced ]; do sleep 0.05; done
collect --gdb -P $process 2>message
is "$? $(grep -c '^ptrace: Operation not permitted.$' message) $(grep 'collector' message) $(ls -d ./*.er 2>/dev/null)" "1 1  " \
	"after an error, gdb goes no further"
touch over
wait $tracer

# An interrupt waits until gdb has begun the recording, or has failed to, and then ends it.
rm -f log
collect --gdb -A off -o interrupted.er -P $process 2>log &
collect=$!
until pgrep -P $collect gdb >/dev/null; do sleep 0.01; done
kill -TERM $collect
wait $collect
is "$? $(cat log) $(kill -0 $process && echo lives)" "0 collect: recording to 'interrupted.er' (process $process) lives" \
	"an interrupt while gdb is at work"
check "the recording has begun and ended" ended interrupted.er
rm -rf interrupted.er

collect --gdb -A off -p hi -t 0.5 -o timed.er -P $process 2>log
is "$? $(cat log)" "0 collect: recording to 'timed.er' (process $process)" "-t ends the recording, not the process"
check "it was ended" ended timed.er
er_print -functions timed.er >functions
check "its functions are there" grep -q 'malloc$' functions

rm -f log
collect --gdb -A off -H on -o by.er -P $process 2>log &
collect=$!
until grep -q recording log 2>/dev/null || ! kill -0 $collect; do sleep 0.05; done
sleep 0.5
kill -TERM $collect
wait $collect
is "$? $(kill -0 $process && echo lives)" "0 lives" "an interrupt ends the recording"
check "it was ended" ended by.er
check "allocations are there" test -s by.er/heaptrace
rm -f log
collect --gdb -A off -o third.er -P $process 2>log &
collect=$!
until grep -q recording log 2>/dev/null || ! kill -0 $collect; do sleep 0.05; done
collect --gdb -A off -P $process >again 2>&1
is "$? $(cat again) $(echo *.er)" "1 collect: cannot record process $process: it is recorded already by.er third.er timed.er" \
	"a process that is recorded is not recorded once more"
touch stop
wait $collect
status=$?
wait $process
is "$status $? $(cat out)" "0 0 right" "the process ends as alone, and collect with it"

done_testing
