#!/bin/sh
# Whatever is killed or interrupted on either side during a transfer: the source is whole, the other end has
# nothing or the whole, and the same command run again completes it.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/sshd.sh
. "$TOP/tests/lib/sshd.sh"
runs=$FAR/runs

empty() {
	rm -rf "$runs" back
	mkdir "$runs" back
}

# instead PROGRAM SCRIPT: run the script on desk under that name.
instead() {
	rm -f "ssh/desk/$1"
	printf '#!/bin/sh\n%s\n' "$2" >"ssh/desk/$1"
	chmod +x "ssh/desk/$1"
}

again() { # PROGRAM: itself
	rm -f "ssh/desk/$1"
	ln -s "$BUILD/bin/$1" "ssh/desk/$1"
}

# eventually COMMAND...: the other side may need a moment to notice that the connection is gone.
eventually() {
	tries=100
	while ! "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.2
	done
}

# shellcheck disable=SC2317
is_empty() {
	[ -z "$(ls -A "$1")" ]
}

make_experiment test.1.er
rm test.1.er/archives/link_UHyILZt997d # a file over there, see er_cp
chmod 644 test.1.er/archives/*
find test.1.er -exec touch -h -d '2024-02-03 04:05:06.789012345 UTC' {} +
cp -a test.1.er original.er
empty

# ---- more data than pipes and frames hold ----
cp -a test.1.er big.er
for name in profile synctrace iotrace; do
	head -c 30M /dev/urandom >big.er/$name
done
find big.er -exec touch -h -d '2024-02-03 04:05:06.789012345 UTC' {} +
er_cp big.er desk:runs 2>err
is "$?-$(cat err)" 0- '92 MB go to another host'
check 'all of it' same_tree big.er "$runs/big.er"
er_cp desk:runs/big.er back 2>err
is "$?-$(cat err)" 0- 'and come back'
check 'all of it' same_tree big.er back/big.er
empty
er_cp -q big.er bare:runs
check 'tar takes it as well' same_tree big.er "$runs/big.er"
er_cp -q bare:runs/big.er back
check 'and gives it back' same_tree big.er back/big.er
empty

# ---- interrupted here, once the stream has begun ----
# interrupt SIGNAL OPERAND...: a copy whose other side has begun, and continues only afterwards.
waits=": >'$PWD/started'; while [ -e '$PWD/started' ]; do sleep 0.1; done"
interrupt() {
	signal=$1
	shift
	rm -f started
	# Shells make background commands ignore SIGINT, and nohup makes them ignore SIGHUP.
	env --default-signal=INT,HUP,TERM er_cp "$@" >out 2>err &
	copier=$!
	eventually test -e started
	sleep 0.2
	kill -s "$signal" "$copier"
	wait "$copier"
	status=$?
	rm -f started
}
instead er_import "$waits; exec $BUILD/bin/er_import \"\$@\""
for signal in INT TERM HUP; do
	interrupt "$signal" big.er desk:runs
	[ "$status" -gt 128 ] && [ "$(kill -l "$status")" = "$signal" ]
	ok $? "SIG$signal ends sending"
	check 'nothing is left there' eventually is_empty "$runs"
done
interrupt KILL big.er desk:runs
check 'nothing is left there when the sender is killed' eventually is_empty "$runs"
again er_import
instead er_export "$BUILD/bin/er_export \"\$@\" | head -c 5000000; $waits"
for signal in INT TERM HUP; do
	interrupt "$signal" desk:../big.er back
	[ "$status" -gt 128 ] && [ "$(kill -l "$status")" = "$signal" ]
	ok $? "SIG$signal ends receiving"
	is "$(ls -A back)" '' 'and nothing is left here'
done
instead er_export "$waits"
interrupt TERM desk:../big.er back
[ "$status" -gt 128 ]
ok $? 'also while nothing comes'
interrupt KILL desk:../big.er back
is "$(ls back)" '' 'there is no copy when the receiver is killed'
again er_export
er_cp desk:../big.er back
is "$?-$(hidden back)" 0- 'and the next run clears up'
empty

# ---- killed or out of order over there ----
fault -e EIO -s openat 0 true 2>/dev/null >&2 || {
	skip 'this sandbox does not allow ptrace' 'faults over there'
	done_testing
}
step=${FAULT_STEP:-0}

# broken TEXT SIDE COMMAND...: a fault in SIDE (er_import, er_export) over there.
broken() {
	text=$1
	side=$2
	shift 2
	instead "$side" "ER_THREADS=1 ASAN_OPTIONS=detect_leaks=0 exec '$BUILD/tests/lib/programs/fault' \
\$(cat '$PWD/fault') $BUILD/bin/$side \"\$@\""
	bad=0
	runs_done=0
	at=1
	every=$((step ? step : total / 5 + 1))
	while [ "$at" -le "$total" ]; do
		empty
		echo "$fault $at" >fault
		"$@" >out 2>&1
		status=$?
		holds || {
			bad=$((bad + 1))
			note "at call $at $fault: status $status"
			sed 's/^/#   /' out
		}
		runs_done=$((runs_done + 1))
		at=$((at + every))
	done
	[ "$bad" = 0 ] && [ "$runs_done" -gt 3 ]
	ok $? "$text ($runs_done of $total calls tried)"
	again "$side"
}

count() { # SIDE COMMAND...: its calls that matter
	side=$1
	shift
	empty
	instead "$side" "ER_THREADS=1 ASAN_OPTIONS=detect_leaks=0 exec '$BUILD/tests/lib/programs/fault' \
$fault 0 $BUILD/bin/$side \"\$@\" 2>'$PWD/total'"
	"$@" >out 2>&1
	total=$(tail -n 1 total)
	again "$side"
}

# Nothing or all of it is there, and a copy if the status says so.
# shellcheck disable=SC2317
holds() {
	[ -e "$runs/test.1.er" ] || [ "$status" != 0 ] || return 1
	[ ! -e "$runs/test.1.er" ] || same_tree original.er "$runs/test.1.er" || return 1
	same_tree original.er test.1.er || return 1
	again er_import
	[ -e "$runs/test.1.er" ] || er_cp test.1.er desk:runs || return 1
	same_tree original.er "$runs/test.1.er" && [ -z "$(hidden "$runs")" ] || return 1
	restore
}
restore() {
	instead er_import "ER_THREADS=1 ASAN_OPTIONS=detect_leaks=0 exec \
'$BUILD/tests/lib/programs/fault' \$(cat '$PWD/fault') $BUILD/bin/er_import \"\$@\""
}
fault=
count er_import er_cp test.1.er desk:runs
broken 'er_import is killed' er_import er_cp test.1.er desk:runs
fault='-e ENOSPC -s write,pwrite64,ftruncate,fsync,syncfs,mkdirat,symlinkat'
count er_import er_cp test.1.er desk:runs
broken 'its disk is full' er_import er_cp test.1.er desk:runs
fault='-e EIO -s openat,openat2,renameat2,read,fchmod,utimensat,close'
count er_import er_cp test.1.er desk:runs
broken 'it meets errors' er_import er_cp test.1.er desk:runs

# A move: what is gone here is there.
# shellcheck disable=SC2317
holds() {
	if [ -e test.1.er ]; then
		[ "$status" != 0 ] && same_tree original.er test.1.er || return 1
	else
		same_tree original.er "$runs/test.1.er" || return 1
		cp -a original.er test.1.er
	fi
	again er_import
	er_mv test.1.er desk:runs && same_tree original.er "$runs/test.1.er" &&
		[ ! -e test.1.er ] && [ -z "$(hidden "$runs")" ] || return 1
	cp -a original.er test.1.er
	restore
}
fault=
count er_import er_mv test.1.er desk:runs
rm -rf test.1.er
cp -a original.er test.1.er
broken 'er_import is killed in a move' er_import er_mv test.1.er desk:runs

# A copy from there.
# shellcheck disable=SC2317
holds() {
	[ -e back/test.1.er ] || [ "$status" != 0 ] || return 1
	[ ! -e back/test.1.er ] || same_tree original.er back/test.1.er || return 1
	[ -z "$(hidden back)" ]
}
fault=
count er_export er_cp desk:../test.1.er back
broken 'er_export is killed' er_export er_cp desk:../test.1.er back
fault='-e EIO -s openat,openat2,read,pread64,write,close'
count er_export er_cp desk:../test.1.er back
broken 'it meets errors' er_export er_cp desk:../test.1.er back

# Killed here, at one call after the other: the sender and the mover.
killed_here() { # TEXT COMMAND...
	text=$1
	shift
	prepare
	total=$(ER_THREADS=1 ASAN_OPTIONS=detect_leaks=0 fault 0 "$@" 2>&1 >out | tail -n 1)
	bad=0
	runs_done=0
	at=1
	every=$((step ? step : total / 8 + 1))
	while [ "$at" -le "$total" ]; do
		prepare
		ER_THREADS=1 ASAN_OPTIONS=detect_leaks=0 fault "$at" "$@" >out 2>&1
		status=$?
		eventually holds || {
			bad=$((bad + 1))
			note "at call $at: status $status"
			sed 's/^/#   /' out
		}
		runs_done=$((runs_done + 1))
		at=$((at + every))
	done
	[ "$bad" = 0 ] && [ "$runs_done" -gt 3 ]
	ok $? "$text ($runs_done of $total calls tried)"
}
prepare() {
	empty
	rm -rf test.1.er .test.1.er.*
	cp -a original.er test.1.er
}
# shellcheck disable=SC2317
holds() {
	if [ -e test.1.er ]; then
		same_tree original.er test.1.er || return 1
		er_mv -q test.1.er desk:runs || return 1
	fi
	same_tree original.er "$runs/test.1.er" && [ ! -e test.1.er ]
}
killed_here 'er_mv is killed' er_mv test.1.er desk:runs
done_testing
