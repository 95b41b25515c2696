#!/bin/sh
# Signals of events around the calls of a debugger, which block them in the thread: a sleep that the thread goes
# back to is restarted by the kernel only if no handler has returned. tests/soak/attach has the whole of it.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

for situation in releases holds; do
	record recorded.er 'p:10000;a:off;' "$programs/held" $situation >said 2>&1
	is "$?" 0 "$situation: ends well"
	is "$(cat said)" good "$situation: ticks came at that place, and went"
	check "$situation: the reader has no complaint" is_clean recorded.er
done

# strace shows each return from a handler to the kernel: none for these ticks.
if strace -f -qq -o trace -e trace=rt_sigreturn true 2>/dev/null; then
	for situation in releases holds; do
		record recorded.er 'p:10000;a:off;' \
			strace -f -qq -o trace -e trace=rt_sigreturn "$programs/held" $situation >said 2>&1
		is "$(cat said)" good "$situation: the same, traced"
		found=$(grep -c -- '--- SIG' trace)
		left=$(grep -c 'rt_sigreturn' trace)
		[ "$found" -ge 100 ] && [ "$left" -le $((found - 100)) ]
		ok $? "$situation: $found handlers, of which $left return to the kernel"
	done
else
	skip "strace is not installed, or not allowed" "traced"
fi
done_testing
