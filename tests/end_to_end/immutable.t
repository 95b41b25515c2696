#!/bin/sh
# Files made immutable by chattr are refused before anything is copied, by dry runs as well.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

mkdir fixed
if ! chattr +i fixed 2>/dev/null || touch fixed/it 2>/dev/null; then
	skip 'nothing can be made immutable here' 'immutable directories'
	done_testing
fi
chattr -i fixed
other=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null) || other=$(mktemp -d)
trap 'chattr -i fixed fixed/a.er; rm -rf "$other"' EXIT
make_experiment a.er
cp -a a.er fixed/

chattr +i fixed
refused_both_ways "cannot create 'fixed/b.er': Operation not permitted" er_cp a.er fixed/b.er
refused_both_ways "cannot remove 'fixed/a.er': Operation not permitted" er_mv fixed/a.er "$other/"
refused_both_ways "cannot remove 'fixed/a.er': Operation not permitted" er_rm fixed/a.er
chattr -i fixed
chattr +i fixed/a.er
refused_both_ways "cannot remove 'fixed/a.er': Operation not permitted" er_mv fixed/a.er "$other/"
refused_both_ways "cannot remove 'fixed/a.er': Operation not permitted" er_rm fixed/a.er
chattr -i fixed/a.er
check 'it is whole' same_tree a.er fixed/a.er
is "$(ls -A "$other")$(hidden fixed)" '' 'and nothing else is left'
done_testing
