#!/bin/sh
# What a debugger asks of collect: an experiment for a process that runs already, and the libraries to load.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

plugins=$(realpath "$BUILD")/lib/erkit
sleep 600 &
process=$!
trap 'kill $process' EXIT

is "$(collect --libraries 2>&1)" "$plugins/libcollector.so" "the library that records"
is "$(collect -H on -s on -i on --libraries 2>&1)" \
	"$plugins/libcollector.so $plugins/libcollector-heap.so $plugins/libcollector-sync.so $plugins/libcollector-io.so" \
	"and those of the kinds of data"
is "$(ls)" "" "nothing was made"

collect -p hi -H on -C words -g set.erg --prepare $process >list 2>message
is "$? $(cat message)" "0 " "an experiment is prepared"
is "$(cat set.1.er/notes set.erg)" "words
#analyzer experiment group
set.1.er" "with its notes and its group"
is "$(tr '\0\n' '\n ' <list | sed "s|=$PWD/|=HERE/|; s|=D:[^;]*;P:[^;]*;V:[^;]*|=...|; s|$plugins|PLUGINS|g")" \
	"SP_COLLECTOR_EXPNAME=HERE/set.1.er
SP_COLLECTOR_PARAMS=...;p:997;H:;S:1;L:2000;a:on;
SP_COLLECTOR_FOUNDER=$process
SP_COLLECTOR_ORIGIN_COLLECT=1
SP_COLLECTOR_PRELOAD=PLUGINS/libcollector.so PLUGINS/libcollector-heap.so" "the variables for it"
is "$(tail -c 2 list | od -An -tx1)" " 00 00" "an empty string ends the list"
is "$(tr '\0' '\n' <list | sed -n 's/.*[=;]D:\([0-9:]*\);.*/\1/p')" "$(stat -c %d:%i:%u set.1.er)" \
	"they identify the directory"

# What a program that collect starts gets is the same, apart from its process and how it gets there.
collect -p hi -H on -F off -A on -o set.2.er sh -c 'tr "\0" "\n" </proc/$$/environ' 2>message >environment
sed -n '/^SP_COLLECTOR_/{/_CPU_TIME=/d;p}' environment >started
tr '\0' '\n' <list | sed '/^$/d' | sed "s/set\.1/set.2/; s/=D:[^;]*/=D/; s/FOUNDER=.*/FOUNDER=N/" >prepared
sed 's/=D:[^;]*/=D/; s/FOUNDER=.*/FOUNDER=N/' started | LC_ALL=C sort >started.sorted
is "$(cat started.sorted)" "$(LC_ALL=C sort prepared)" "a program that collect starts has the same variables"

GPROFNG_MAX_CALL_STACK_DEPTH=7 collect -o deep.er --prepare $process >list 2>&1
is "$(tr '\0' '\n' <list | grep DEPTH)" "GPROFNG_MAX_CALL_STACK_DEPTH=7" "the depth of stacks is passed, too"

collect -F on --prepare $process -o follow.er 2>message >list
is "$? $(cat message) $(tr '\0' '\n' <list | grep -c ';F:')" \
	"0 collect: warning: ignoring -F: descendants of a process that runs already are not recorded 0" \
	"descendants are not followed"

mkdir elsewhere
cd elsewhere || exit 1
collect --prepare $process -F off -n >settings 2>message
is "$? $(cat message) $(tail -n 1 settings | tr -d ' ')" "0  process$process" "-n shows the settings and makes nothing"
sleep 0 &
ended=$!
wait $ended
for words in "--prepare $ended" "--prepare 0" "--prepare -1" "--prepare x" "--prepare 3000000000" "--prepare" \
	"--prepare $process true" "--libraries true" "--libraries --prepare $process" "-x --prepare $process" \
	"-d none --prepare $process" "-p 0 --prepare $process" "--prepare $process --prepare $process"; do
	# shellcheck disable=SC2086 # options
	collect $words >list 2>message
	echo "$words: $? $(cat message)$(cat list)"
done | sed "s/$process/N/g; s/$ended/E/g" >said
rm -f list message settings
is "$(cat said)" "--prepare E: 1 collect: cannot record process E: No such process
--prepare 0: 2 collect: --prepare: invalid process '0'
--prepare -1: 2 collect: --prepare: invalid process '-1'
--prepare x: 2 collect: --prepare: invalid process 'x'
--prepare 3000000000: 2 collect: --prepare: invalid process '3000000000'
--prepare: 2 collect: option '--prepare' requires an argument
--prepare N true: 2 collect: unexpected program 'true'
--libraries true: 2 collect: unexpected program 'true'
--libraries --prepare N: 2 collect: only one of -P, --prepare and --libraries can be given
-x --prepare N: 2 collect: -x requires a program
-d none --prepare N: 1 collect: cannot record into 'none': No such file or directory
-p 0 --prepare N: 2 collect: -p: invalid interval '0': use on, off, lo, hi or a number
--prepare N --prepare N: 2 collect: only one of -P, --prepare and --libraries can be given" "errors"
rm said
is "$(ls)" "" "after errors nothing is left"

collect --prepare $process >/dev/full 2>message
is "$? $(cat message) $(ls)" "1 collect: write error: No space left on device message" \
	"nor if the variables cannot be written"

# A thread of a process is not one.
python3 -c 'import threading, time
thread = threading.Thread(target=time.sleep, args=(600,), daemon=True)
thread.start()
print(thread.native_id, flush=True)
time.sleep(600)' >id &
other=$!
while ! [ -s id ]; do sleep 0.02; done
collect --prepare "$(cat id)" >list 2>message
is "$? $(cat message)" "1 collect: cannot record process $(cat id): it is a thread of process $other" "a thread is not a process"
is "$(collect -J -Xmx1g -P "$(cat id)" 2>&1 | head -n 1)" \
	'collect: warning: ignoring -j and -J: Java in a process that runs already is recorded as native code' \
	'Java is not found in a process that runs already'
kill $other

if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1; then
	chmod 777 .
	setpriv --reuid nobody --clear-groups "$BUILD/bin/collect" --prepare $process >list 2>message
	is "$? $(cat message)" "1 collect: cannot record process $process: Operation not permitted" \
		"a process of another user is refused"
else
	skip "needs root" "a process of another user is refused"
fi
done_testing
