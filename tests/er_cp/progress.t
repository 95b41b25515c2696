#!/bin/sh
# The progress line: by default, when it appears, and what remains of it.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

on_terminal=$TOP/tests/lib/on-terminal
ASAN_OPTIONS=detect_leaks=0 # leaks cannot be checked under strace
export ASAN_OPTIONS
lines() { # overwritten text becomes a line of its own
	tr '\r' '\n' | sed 's/ *$//' | grep -v '^$'
}

make_experiment a.er
is "$(er_cp a.er b.er 2>&1)" "" 'in a file there is no progress line'
is "$(er_cp --progress a.er c.er 2>&1 | tr '\r' '\n' | tail -1)" 'er_cp: done, 2471.0 KiB: a.er' \
	'unless it was asked for: the last state stays'
is "$(er_cp -q --progress a.er d.er 2>&1)" "" 'quiet is quiet'
is "$(er_cp -n --progress a.er e.er 2>&1)" "would copy 'a.er' -> 'e.er' (14 files, 2530307 bytes)" \
	'nothing is done, and nothing shown of it'
is "$(er_cp --progress none.er e.er 2>&1 | lines)" \
	"er_cp: cannot open 'none.er': No such file or directory" 'an immediate failure has none'
is "$("$on_terminal" er_cp a.er f.er </dev/null)" "" 'on a terminal quick commands have none'

# slowly SECONDS COMMAND...: run it on a disk that takes this long
slowly() {
	delay=$1
	shift
	strace -f -qq -o /dev/null -e trace=fsync,syncfs \
		-e "inject=fsync,syncfs:delay_enter=$delay:when=1" "$@"
}
if slowly 1 true 2>/dev/null; then
	slowly 1500000 "$on_terminal" er_cp a.er g.er </dev/null >shown
	lines <shown | head -1 | grep -q '^er_cp: [0-9.]* of 2471.0 KiB, [0-9]*%.*: a.er$'
	ok $? 'work that takes longer than a second has one'
	is "$(tr '\r' '\n' <shown | tail -1 | tr -d ' ')" '' 'and is erased in the end'
	is "$(grep -c . shown)" 1 'it is one line'

	make_experiment "long name with $(printf '\033')[2J in it.er"
	slowly 1500000 "$on_terminal" -w 40 er_cp long*.er h.er </dev/null >shown
	lines <shown | head -1 | grep -q '^er_cp: [0-9.]* of 2471.0 KiB, [0-9]*%[:,].*[^r]$'
	ok $? 'it is no longer than the screen is wide'
	is "$(tr '\r' '\n' <shown | awk 'length > 39')" '' 'nor are its blanks'
	slowly 1 er_cp --progress long*.er i.er 2>shown
	is "$(lines <shown | tail -1)" \
		'er_cp: done, 2471.0 KiB: long name with \033[2J in it.er' \
		'names cannot write to the terminal'

	slowly 600000 "$on_terminal" er_cp a.er j.er </dev/null >shown
	is "$(cat shown)" '' 'shorter work has none'
	truncate -s 65M a.er/overview
	slowly 600000 "$on_terminal" er_cp a.er k.er </dev/null >shown
	lines <shown | grep -q 'er_cp: [0-9.]* of 67.4 MiB'
	ok $? 'unless there is more than 64 MiB to do'
else
	skip 'this sandbox does not allow ptrace' 'slow copies'
fi
done_testing
