#!/bin/sh
# Samples and pauses requested from outside by signals: -l and -y.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

program=$programs/controlled

# start OPTIONS WORD...: record the program in the background. Its lines come through "out", and "press" sends
# it a line.
start() {
	start_options=$1
	shift
	rm -rf recorded.er in out
	mkfifo in out
	# shellcheck disable=SC2086
	collect -p 1 -A off $start_options -o recorded.er "$program" "$@" <in >out 2>errors &
	pid=$!
	exec 4>in 5<out
}

press() {
	echo >&4
}

# At a "line": send the signal, and let the program go on when it has arrived.
send_and_press() {
	seen ready
	kill -USR1 "$pid"
	press
}

# seen TEXT: TEXT is the next line.
seen() {
	read -r seen_line <&5
	is "$seen_line" "$1" "it prints: $1"
}

# finish: the program ends with its status, without a further line.
finish() {
	exec 4>&-
	finish_rest=$(cat <&5)
	exec 5<&-
	wait "$pid"
	is "$? $finish_rest" "0 " "$1: it ends as usual"
	check "$1: the reader has no complaint" is_clean recorded.er
}

labels() {
	tr '\0' '\n' <recorded.er/log.xml | sed -n 's/.*kind="sample".*label="\(.*\)".*/\1/p' |
		grep -v '^periodic$' | xargs -d '\n' printf '%s;'
}

functions() {
	er_print -functions recorded.er 2>&1 | awk '$NF ~ /^(un)?wanted$/ { print $NF }' | sort | xargs
}

# Wait until the program sleeps in a system call, which the signal will interrupt.
asleep() {
	for asleep_try in $(seq 1200); do
		[ "$(cut -d ' ' -f 3 "/proc/$pid/stat")" = S ] && return
		sleep .05
	done
	ok 1 "it waits for something (looked $asleep_try times)"
}

# Wait until the signal has arrived: there is a sample of that label in the log.
await() { # LABEL
	for await_try in $(seq 1200); do
		tr '\0' '\n' <recorded.er/log.xml | grep -qF "label=\"$1\"" && return
		sleep .05
	done
	ok 1 "there is a sample labelled $1 (looked $await_try times)"
}

pauses() { # EXPECTED-PAUSES TEXT
	pauses_text=$2
	# shellcheck disable=SC2046
	set -- "$1" $(python3 "$TESTDIR/in_pauses.py" recorded.er)
	is "$2 $4" "$1 0" "$pauses_text: the expected pauses, and no event of $3 in them"
}

# ---- -l ----

start '-l USR1' line line wanted line wanted
send_and_press
send_and_press
send_and_press
finish -l
is "$(labels)" 'collector_open_experiment;signal;signal;signal;collector_close_experiment;' \
	"-l: a sample for each signal"
er_print -header recorded.er | grep -F 'ample signal' >ours.txt
check "-l: the header says which signal" grep -q 10 ours.txt

# The program uses the signal itself, with the same result alone, and with -l and -y.
as_ever() { # NAME WORD...
	as_ever_name=$1
	shift
	"$program" "$@" >alone.out 2>&1 </dev/null
	echo "status $?" >>alone.out
	for as_ever_option in 'g:10;' 'd:10;' 'd:10p;'; do
		record recorded.er "p:1000;a:off;$as_ever_option" "$program" "$@" >recorded.out 2>&1 </dev/null
		echo "status $?" >>recorded.out
		check "$as_ever_name, $as_ever_option: same as alone" diff alone.out recorded.out
	done
}

as_ever 'own handler' view own view raise counted kill_self counted queue counted ignore view raise defaults view
as_ever 'reset after one' own_once raise view counted
as_ever 'default action' wanted raise
as_ever 'ignored' ignore raise kill_self queue wanted view
as_ever 'blocked' own block raise view counted unblock counted view
as_ever 'waited for' own block queue wait_for raise wait_for wait_no_time counted view
as_ever 'signalfd' block signalfd view
as_ever 'suspended' own block raise suspend view
as_ever 'children' ignore spawn thread

as_ever 'a call that its handler interrupts' own interrupted_read view
as_ever 'a call that is restarted' own_restarting interrupted_read view

# Signals from outside do not show either.
start '-l USR1' own line counted view polled_line counted ignore line view defaults line view block line \
	view unblock
seen ready
asleep
kill -USR1 "$pid"
press
seen 'count 0 code 0'
seen 'handler own flags 4000004 mask 1 0'
seen 'blocked 0 pending 0'
seen ready
asleep
kill -USR1 "$pid"
press
seen 'poll 1'
seen 'count 0 code 0'
seen ready
asleep
kill -USR1 "$pid"
press
read -r line <&5
is "${line%% flags*}" 'handler ignored' "it still ignores the signal"
seen 'blocked 0 pending 0'
seen ready
asleep
kill -USR1 "$pid"
press
read -r line <&5
is "${line%% flags*}" 'handler default' "the default action is still in force"
seen 'blocked 0 pending 0'
seen ready
asleep
kill -USR1 "$pid"
press
read -r line <&5
seen 'blocked 1 pending 1'
finish 'from outside'
is "$(labels)" 'collector_open_experiment;signal;signal;signal;signal;signal;collector_close_experiment;' \
	"from outside: a sample for each signal, the last one when it is unblocked"

# A call that cannot be restarted ends early, and the log says so.
start '-l USR1' polled_unseen
seen ready
asleep
kill -USR1 "$pid"
seen 'poll -4'
press
exec 4>&- 5<&-
wait "$pid"
is "$? $(tr '\0' '\n' <recorded.er/log.xml | grep -c '1 system calls .* failed with EINTR')" '0 1' \
	"a call that cannot be identified ends with EINTR: the log says so"

start '-l USR1' block wait_for
seen waiting
asleep
kill -USR1 "$pid"
await signal
asleep
env kill -s USR1 -q 5 "$pid"
seen 'got 10 code -1'
finish 'waited for'
is "$(labels)" 'collector_open_experiment;signal;collector_close_experiment;' \
	"waited for: a signal from outside is a sample, another one goes to the program"

start '-l USR1' own suspend
seen waiting
asleep
kill -USR1 "$pid"
await signal
asleep
env kill -s USR1 -q 5 "$pid"
seen 'count 1 code -1'
finish suspended

# ---- -y ----

start '-y SIGUSR1' unwanted line wanted line unwanted line wanted line unwanted
send_and_press
send_and_press
send_and_press
send_and_press
finish -y
is "$(functions)" wanted "-y: only the wanted functions are recorded"
pauses 3 -y
is "$(labels)" 'collector_open_experiment;collector_resume;collector_pause(signal);collector_resume;collector_pause(signal);collector_close_experiment;' \
	"-y: samples around each pause"
for reader in er_print gp-display-text; do
	$reader -header recorded.er 2>/dev/null | grep -E '^(Pause|Resume|Data C)|ause signal' >$reader.txt
done
check "-y: er_print shows it as gp-display-text does" diff er_print.txt gp-display-text.txt
is "$(grep -c '^Pause' er_print.txt)" 3 "-y: with all pauses"

start '-y 10,r' wanted line unwanted line wanted
send_and_press
send_and_press
finish '-y ,r'
is "$(functions)" wanted "-y ,r: begins recording"
pauses 1 '-y ,r'

# An endless stream of signals, to a program of threads that has its own handler for them.
start '-y USR1 -l USR2' own line storm line counted
seen ready
press
read -r _ <&5 &
reader=$!
for storm_try in $(seq 3000); do
	kill -USR1 "$pid"
	kill -USR2 "$pid"
done
wait "$reader"
press
read -r line <&5
is "$line" 'count 300 code -6' "storm: the program received its own signals, and no others (sent $storm_try)"
finish storm
# shellcheck disable=SC2046
set -- $(python3 "$TESTDIR/in_pauses.py" recorded.er)
check "storm: $1 pauses" [ "$1" -ge 1 ]
is "$3" 0 "storm: no event of $2 in them"

# Descendants inherit their parent's state, and receive signals themselves.
start '-y USR1' child line child
read -r word child <&5
seen ready
press
send_and_press
read -r word child <&5
seen ready
press
finish descendants
is "$word $(functions)" 'child wanted' "descendants: the wanted functions are recorded"
is "$(grep -alc 'label="collector_resume"' recorded.er/_f1.er/log.xml recorded.er/_f2.er/log.xml)" '' \
	"descendants: no signal reached them"
pauses 2 'descendants'

start '-y USR1' child
read -r word child <&5
seen ready
kill -USR1 "$child"
press
finish 'a child'
is "$(functions)" wanted "a child: receives signals itself"

# An image begins in the state of the process that started it.
record recorded.er 'p:1000;d:10p;a:off;' sh -c "'$program' unwanted; :"
is "$(functions)" '' "images: paused like the shell that started them"
start '-y USR1' line spawn thread
send_and_press
seen 'system 3'
finish images
pauses 1 images

# With -t, both must allow recording.
record recorded.er 'p:1000;t:30:0;d:10p;a:off;' "$program" unwanted unwanted
is "$(functions)" '' "-t and -y: paused beyond the begin"
pauses 1 '-t and -y'

done_testing
