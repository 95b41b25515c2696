#!/bin/sh
# A tool that waits for an answer or for a pipe can be stopped.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment a.er
cp -a a.er b.er
mkfifo pipe bundle

# stopped TEXT COMMAND...: the command waits, and SIGTERM ends it.
stopped() {
	text=$1
	shift
	timeout -s KILL 10 "$@" <pipe 2>/dev/null &
	command=$!
	exec 3>pipe
	sleep 0.3
	kill -TERM $command
	wait $command
	is $? 143 "$text"
	exec 3>&-
}

stopped 'er_cp that asks' er_cp -i a.er b.er
stopped 'er_mv that asks' er_mv -i a.er b.er
stopped 'er_rm that asks' er_rm -i a.er
stopped 'er_import of a bundle that does not come' er_import bundle
check 'nothing has happened' same_tree a.er b.er
is "$(printf 'no\nyes\n' | er_cp -iv a.er b.er 2>/dev/null)" '' 'an answer from a pipe is read'
printf 'no\nyes\n' | er_rm -i a.er b.er 2>/dev/null
is "$(ls -d ./*.er)" ./a.er 'and so are two'
done_testing
