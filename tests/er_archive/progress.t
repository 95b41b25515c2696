#!/bin/sh
# The progress line, in files.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

experiment test.1.er
for number in 1 2 3; do
	library "$number.so" $number
	segment test.1.er "$PWD/$number.so" "$(identity "$number.so")"
done
is "$(er_archive --dry-run --progress test.1.er 2>&1 | cut -d' ' -f1 | uniq -c | xargs)" '3 copied' \
	'a dry run shows no progress'
is "$(er_archive -q --progress test.1.er 2>&1)" '' 'quiet is quiet'
rm -r test.1.er/archives
is "$(er_archive --progress test.1.er 2>&1 | tr '\r' '\n' | tail -1)" 'er_archive: done: test.1.er' \
	'the last state is kept if requested'
if ER_THREADS=1 strace -f -qq -o /dev/null -e trace=renameat,renameat2 \
	-e inject=renameat,renameat2:delay_enter=300000 "$TOP/tests/lib/on-terminal" \
	er_archive -F test.1.er </dev/null >shown; then
	check 'files are counted' grep -q 'er_archive: [12] of 3 files: test.1.er' shown
	is "$(tr '\r' '\n' <shown | tail -1 | tr -d ' ')" '' 'and the line is erased'
else
	skip 'this sandbox does not allow ptrace' 'slow archives'
fi
done_testing
