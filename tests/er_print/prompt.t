#!/bin/sh
# Commands typed on a terminal: editing, history, completion, the pager, interrupts.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/make-experiments" shape.er || exit

# on_terminal NAME: the check of that name in prompt.py, in a directory of its own
# shellcheck disable=SC2317 # called by check
on_terminal() {
	mkdir "$1" && cp -r shape.er "$1" && cd "$1" &&
		timeout 120 python3 "$TESTDIR/prompt.py" "$1"
}

names=$(sed -n 's/^def \([a-z_]*\)():$/\1/p' "$TESTDIR/prompt.py")
for name in $names; do
	case $name in
	*foreign*)
		if [ "$(id -u)" != 0 ]; then
			skip 'only root can make files of others' "$(echo "$name" | tr _ ' ')"
			continue
		fi
		;;
	esac
	check "$(echo "$name" | tr _ ' ')" on_terminal "$name"
done
done_testing
