#!/bin/sh
# Holes cost the owner of an experiment nothing, but become zeros in a bundle: the export of large ones ends
# soon.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment x.er
for size in 5G 1T 15T; do
	truncate -s $size x.er/profile || continue
	timeout -s KILL 30 er_export -q -o x.tar.zst x.er 2>err
	is "$? $(cat err)" "1 er_export: 'x.tar.zst': the holes of 'profile' are too large: File too large" \
		"a hole of $size"
	is "$(find . -name '*.zst*' -o -name '.*.part')" '' 'leaves nothing'
done

# Many large holes, too. An interrupted export ends immediately.
truncate -s 3G x.er/profile
truncate -s 3G x.er/iotrace
timeout -s KILL 60 er_export -q -o x.tar.zst x.er 2>err
is "$? $(cat err)" "1 er_export: 'x.tar.zst': the holes of 'iotrace' are too large: File too large" \
	'holes in several files'
timeout -k 5 .2 er_export -q -o x.tar.zst x.er
is $? 124 'a signal ends it in a hole'
truncate -s 1M x.er/profile x.er/iotrace
check 'small holes are taken' er_export -q -o x.tar.zst x.er
done_testing
