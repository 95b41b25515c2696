#!/bin/sh
# Copies into a directory where others may write: a directory put in the place of a copy in progress gets
# nothing of it.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

attacked_directories 'directories of others'
make_experiment private/a.er
start_exchanger shared 200
round=0
while [ $round -lt "${ROUNDS:-150}" ]; do
	round=$((round + 1))
	er_cp --no-sync private/a.er shared/$round.er >>said 2>&1
done
stop_exchanger
# The attacker's directories contain links with the names of an experiment's files, which stop a copy into
# them.
is "$(grep -c "cannot copy .*: File exists" said)" 0 "$round copies: none goes into a directory of others"
is "$(find shared -mindepth 2 -type f -uid 0 -path '*trap*' -printf '%p\n' | while read -r file; do
	[ "$(stat -c %u "$(dirname "$file")")" = 0 ] || echo "$file"
done)" '' 'nor any file of one'
is "$(ls -A outside)" '' 'and nothing is written elsewhere'
[ "$(find shared -maxdepth 1 -name '.*.part' -uid 65534 | wc -l)" -gt 0 ]
ok $? 'the attacker was there in time'
done_testing
