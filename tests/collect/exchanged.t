#!/bin/sh
# Recordings into a directory where others may write: whatever is put in the place of the experiment, while
# collect makes it, while the program starts and when it ends, nothing is written anywhere else.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

attacked_directories 'directories of others'
rounds=${ROUNDS:-2000}
mkdir sticky
chmod 1777 sticky

look_outside() {
	list_tree outside
	find outside -printf '%P %m %U %G %T@ %n\n' | sort
}

# attack DIRECTORY ROUNDS DELAY OPTION...: record there ROUNDS times, while the attacker is at work.
attack() {
	attacked=$1
	attack_rounds=$2
	attack_delay=$3
	shift 3
	rm -rf outside/* statuses "${attacked:?}"/*
	echo 'a canary' >outside/canary
	look_outside >before
	start_exchanger "$attacked" "$attack_delay"
	round=0
	while [ $round -lt "$attack_rounds" ]; do
		round=$((round + 1))
		collect "$@" -S off -d "$attacked" -o $round.er /bin/true >/dev/null 2>&1
		echo $? >>statuses
	done
	stop_exchanger
	look_outside | diff before - >changes
	is "$(head -n 20 changes)" '' "$round recordings $* in a $attacked directory: nothing is written outside"
	exchanged=$(find "$attacked" -maxdepth 1 -name '[0-9]*.er' -uid 65534 | wc -l)
	note "$exchanged exchanged; statuses: $(sort statuses | uniq -c | tr -s ' \n' ' ')"
}

attack shared "$rounds" 2000 -p off -A off
[ "$exchanged" -gt 0 ]
ok $? 'the attacker was there in time'
attack shared $((rounds / 20)) 100000 -p off -A on -C 'a note'
attack sticky $((rounds / 20)) 2000 -p off -A off
is "$exchanged $(grep -cvx 0 statuses)" '0 0' 'a sticky directory is safe from these attacks'
done_testing
