#!/bin/sh
# A bundle is checked in a directory of TMPDIR, where others may rename and remove: files that they put in its
# place are neither read nor written.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

attacked_directories 'a TMPDIR shared with others'
echo 'a canary' >outside/canary
list_tree outside >before
collect -A copy -o private/test.1.er /bin/true 2>/dev/null
er_export -q -o private/bundle.tar.zst private/test.1.er
er_archive --check private/bundle.tar.zst
is $? 0 'the bundle is complete'

start_exchanger shared 3000
round=0
failed=0
while [ $round -lt "${ROUNDS:-300}" ]; do
	round=$((round + 1))
	TMPDIR=$PWD/shared er_archive --check private/bundle.tar.zst >out 2>&1 && continue
	# They can remove it while it is empty, and put theirs in its place at the very first moment.
	grep -q 'cannot create a directory in\|cannot extract .*: No such file' out && continue
	failed=$((failed + 1))
	head -n 2 out >said
done
stop_exchanger
is $failed 0 "$round checks: each reads its own files" || note "$(cat said)"
is "$(find shared -type f -uid 0)" '' 'no file of the bundle is in a directory of others'
is "$(list_tree outside | diff before -)" '' 'nothing is written elsewhere'
[ "$(find shared -maxdepth 1 -name 'erkit.*' -uid 65534 | wc -l)" -gt 0 ]
ok $? 'the attacker was there in time'
done_testing
