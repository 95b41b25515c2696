#!/bin/sh
# Data races that the thread sanitizer reports are recorded with both call stacks, and reported as without recording.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# without numbers that differ from run to run
same_each_time() {
	sed -E -e 's/[pt]id[ =][0-9]+/pid=PID/g' -e 's/0x[0-9a-f]+/ADDRESS/g' \
		-e 's/, (running|finished)\)/)/' "$1"
}

alone() { # SITUATION
	./racy "$1" >alone.out 2>alone.err
	echo "status $?" >>alone.out
}

# recorded WORDS SITUATION: behaves as alone
recorded() {
	alone "$2"
	rm -rf recorded.er
	timeout -k 5 60 collect -A off -r "$1" -o recorded.er ./racy "$2" >recorded.out 2>recorded.err
	echo "status $?" >>recorded.out
	sed '/^collect: recording to/d' recorded.err >report.err
	same_each_time alone.err >alone.txt
	same_each_time report.err >recorded.txt
	check "$compiler: $2, -r $1: the same report as alone" sh -c 'cmp alone.out recorded.out && diff alone.txt recorded.txt'
}

counts() {
	er_print -races -deadlocks recorded.er 2>&1 |
		sed -n 's/.*Total \(Races\|Deadlocks\): *\([0-9]*\).*/\1 \2/p' | xargs
}

# accesses: function and kind of each access, and the functions of its stack
accesses() {
	er_print -rdetail all recorded.er 2>&1 | awk '
		/Access [12]:/ { printf "%s%s", separator, $3; separator = " / " }
		/^          [a-z_]/ && $1 ~ /shared|reader|writer/ { printf " %s", $1 } END { print "" }'
}

sanitized() { # COMPILER FLAGS...
	compiler=$*
	rm -f racy
	if ! "$@" -fsanitize=thread -g -O1 -pthread -I"$TOP" -D_GNU_SOURCE -o racy "$TOP/tests/collector/programs/racy.c" 2>/dev/null ||
		! ./racy orderly 2>/dev/null; then
		skip 'it does not work on this system' "$compiler"
		return
	fi
	recorded race reads
	is "$(counts)" 'Races 1' "$compiler: one race"
	case $(accesses) in
	'Read, read_shared reader / Write, write_shared writer' | 'Write, write_shared writer / Read, read_shared reader') ok 0 "$compiler: a read and a write" ;;
	*) is "$(accesses)" 'Read, read_shared reader / Write, write_shared writer' "$compiler: a read and a write" ;;
	esac
	recorded race writes
	is "$(accesses)" 'Write, write_shared writer / Write, write_shared writer' "$compiler: two writes"
	is "$(er_print -rdetail all recorded.er | grep -c 'line [0-9]* in "racy.c"')" 4 "$compiler: with their lines"
	threads=$(er_print -rdetail all recorded.er | sed -n 's/.*thread \([0-9]*\),.*/\1/p' | sort -u | wc -l)
	is "$threads" 2 "$compiler: of two threads"
	recorded race orderly
	is "$(counts)" 'Races 0' "$compiler: no race"
	recorded race inversion
	is "$(counts)" 'Races 0' "$compiler: deadlocks were not asked for"
	stripped
}

# Without symbols, a run-time that is a library is found all the same; one in the program is not, which is said.
stripped() {
	cp racy whole
	strip racy
	if readelf -dW racy | grep -q 'NEEDED.*libtsan'; then
		recorded race writes
		is "$(counts)" 'Races 1' "$compiler, stripped: one race"
	elif collect -n -r race ./racy >out 2>err; then
		recorded race writes
		is "$(counts)" 'Races 0' "$compiler, stripped: it cannot be recorded"
		check "$compiler, stripped: the log says so" \
			sh -c 'er_print -header recorded.er | grep -q "races are not recorded: the program is stripped"'
	else
		is "$(cat err)" "collect: -r race: './racy' is not built with -fsanitize=thread, or is stripped" \
			"$compiler, stripped: it is refused"
	fi
	if command -v gp-display-text >/dev/null; then
		gp-display-text -header -functions recorded.er >theirs 2>&1
		is "$?" 0 "$compiler: gprofng opens the experiment"
	fi
	mv whole racy
}

for options in gcc 'gcc -static-libtsan' clang; do
	# shellcheck disable=SC2086 # words
	sanitized $options
	[ -x racy ] || continue
	TSAN_OPTIONS=second_deadlock_stack=1
	export TSAN_OPTIONS
	recorded all everything
	is "$(counts)" 'Races 1 Deadlocks 1' "$compiler: a race and a possible deadlock"
	is "$(er_print -ddetail all recorded.er | grep -c '^        lock_both')" 4 "$compiler: with four call stacks"
	is "$(er_print -ddetail all recorded.er | sed -n 's/.*\(0x[0-9a-f]*\), at.*/\1/p' | xargs -n 4 |
		awk '{ print $1 == $4 && $2 == $3 && $1 != $2 }')" 1 "$compiler: in a circle"
	unset TSAN_OPTIONS
done

collect -r race -o plain.er "$programs/racy" reads >out 2>err
is "$? $(cat err)" "1 collect: -r race: '$programs/racy' is not built with -fsanitize=thread, or is stripped" 'other programs are refused'
check 'and nothing is made' [ ! -e plain.er ]

done_testing
