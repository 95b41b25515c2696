#!/bin/sh
# shellcheck disable=SC2317 # same_as runs the functions
# Every command in every state: no process (N), a process without an experiment (P), with one that is being recorded
# (A), and with one that was ended (T). states.out has what gdb says.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

cat >program.c <<-END
	int work(int n) { return n + 1; }
	int main(int count, char **words) { return work(work(count)) - 3; }
END
gcc -g -O0 -o program program.c
mkdir sub

# in_state STATE COMMAND...: in a gdb of their own.
in_state() {
	state=$1
	shift
	rm -rf ./*.er
	set -- 'echo begin\n' "$@"
	case $state in
	N) ;;
	P) set -- 'break work' run "$@" ;;
	A) set -- 'collector enable' 'break work' run "$@" ;;
	T) set -- 'collector enable' 'break work' run 'collector disable' "$@" ;;
	esac
	echo "==== $state"
	debug '--args ./program' 'collector archive off' "$@" | awk 'shown { print } /^begin/ { shown = 1 }' |
		sed "s|$BUILD|BUILD|g"
}

# commands COMMAND...: in all states.
commands() {
	for each in N P A T; do
		in_state "$each" "$@"
	done
}

settings() {
	commands 'collector profile off' 'collector profile on' 'collector profile timer 5' 'collector profile timer hi' \
		'collector hwprofile counter page-faults context-switches,5' \
		'collector hwprofile off' 'collector synctrace on' 'collector synctrace threshold 10' \
		'collector heaptrace on' 'collector iotrace on' 'collector mpitrace off' 'collector tha off' \
		'collector archive copy' 'collector limit 10' 'collector sample manual' 'collector sample periodic' \
		'collector sample period 2' 'collector dbxsample off' 'collector store directory sub' \
		'collector store experiment x.er' 'collector store filename y.er' 'collector store group g.erg' \
		'collector show'
}
same_as states.settings.out 'settings are set in N, P and T, and ignored in A' settings

others() {
	commands 'collector pause' 'collector pause' 'collector resume' 'collector resume' 'collector sample record a b' \
		'collector enable_once' 'collector address_space on' 'collector nonsense' 'collector profile nonsense' \
		'collector version' 'collector show store'
}
same_as states.others.out 'other commands' others

changes() {
	for command in enable disable close quit; do
		commands "collector $command" 'collector status' "collector $command" 'show exec-wrapper' |
			sed 's/\(elapsed\|data\|samples\)  .*/\1 .../'
	done
}
same_as states.changes.out 'commands that change the state' changes

for each in N P A T; do
	in_state $each 'collector status' 'collector hwprofile list' >out.$each
	check "$each: the list of counters" grep -q '^    \[+\]page-faults,' out.$each
	is "$(sed -n 3p out.$each)" "$([ $each = A ] && echo '  experiment           HERE/test.1.er' || echo 'No experiment is being recorded.')" "$each: the status"
done
is "$(sed -n '4p; 7p' out.A)" '  state                recording
  samples              2' 'A: of the recording'
done_testing
