#!/bin/sh
# A recording that was exported and imported elsewhere prints the same as where it was recorded, and is the
# same in every byte: a recorded shell with its descendants.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# shellcheck disable=SC2016 # for the other shell
collect -p on -A copy -o test.1.er sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done
	seq 1 200000 | sort -R | tail -n 1' >/dev/null 2>collect.err || {
	sed 's/^/# /' collect.err
	exit 1
}
check "a recorded experiment is exported" er_export test.1.er
mkdir elsewhere
check "and imported elsewhere" er_import -C elsewhere test.1.er.tar.zst
is "$(diff -r test.1.er elsewhere/test.1.er)" "" "every byte is the same, archives included"
for command in functions callers-callees header; do
	er_print -$command test.1.er >here 2>&1
	(cd elsewhere && er_print -$command test.1.er) >there 2>&1
	if cmp here there >/dev/null; then
		ok 0 "er_print -$command prints the same"
	else
		ok 1 "er_print -$command prints the same"
		diff here there | head -n 10 | sed 's/^/# /'
	fi
done
er_print -functions elsewhere/test.1.er >there 2>&1
check "with the time that was used" grep -q '<Total>' there
check "the archives are complete there" er_archive --check elsewhere/test.1.er
done_testing
