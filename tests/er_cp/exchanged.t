#!/bin/sh
# Copies into a directory where others may write: what they put in the place of a copy that is being made gets
# nothing of it.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

exchanger=$BUILD/tests/lib/programs/exchanger
if [ "$(id -u)" != 0 ]; then
	skip 'needs root' 'directories of others'
	done_testing
fi
chmod 755 .. .
mkdir -m 700 private
mkdir shared outside
chmod 777 shared
if ! as_user test -x "$exchanger" -a -w shared; then
	skip 'another user cannot run our programs here' 'directories of others'
	done_testing
fi
make_experiment private/a.er
setpriv --reuid=65534 --regid=65534 --clear-groups "$exchanger" "$PWD/shared" "$PWD/outside" 200 &
attacker=$!
round=0
while [ $round -lt "${ROUNDS:-2000}" ]; do
	round=$((round + 1))
	er_cp --no-sync private/a.er shared/$round.er >>said 2>&1
done
kill $attacker
wait $attacker 2>/dev/null
# The attacker's directories have links under the names of an experiment, which stop a copy into them.
is "$(grep -c "cannot copy .*: File exists" said)" 0 "$round copies: none goes into a directory of others"
is "$(find shared -mindepth 2 -type f -uid 0 -path '*trap*' -printf '%p\n' | while read -r file; do
	[ "$(stat -c %u "$(dirname "$file")")" = 0 ] || echo "$file"
done)" '' 'nor any file of one'
is "$(ls -A outside)" '' 'and nothing is written elsewhere'
[ "$(find shared -maxdepth 1 -name '.*.part' -uid 65534 | wc -l)" -gt 0 ]
ok $? 'the attacker was there in time'
done_testing
