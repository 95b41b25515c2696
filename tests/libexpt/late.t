#!/bin/sh
# Libraries that few runs need are not loaded by the others, and a failure to load one is reported.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

experiment test.1.er
printf '%s\n' '<event kind="run" tstamp="0.0" time="1706933045"/>' '<event kind="exit" tstamp="1.0"/>' >test.1.er/log.xml
er_export -q test.1.er || exit
mkdir broken
for library in libarchive.so.13 libcrypto.so.3; do
	echo nothing >broken/$library
done

# without COMMAND...: run it where neither can be loaded.
without() {
	LD_LIBRARY_PATH=$PWD/broken "$@"
}

for command in 'er_cp test.1.er copy.er' 'er_mv copy.er moved.er' 'er_archive moved.er' \
	'er_print -header moved.er' 'er_rm moved.er'; do
	# shellcheck disable=SC2086 # words
	check "$command needs no library of bundles" without $command
done
for command in 'er_export test.1.er -o other.tar.zst' 'er_import -n test.1.er.tar.zst' \
	'er_print -header test.1.er.tar.zst' 'er_export --text test.1.er.tar.zst/test.1.er' \
	'er_archive --check test.1.er.tar.zst'; do
	# shellcheck disable=SC2086
	without $command >out 2>err
	is "$?" 1 "$command fails"
	check 'it names the library' grep -q "lib[a-z]*.so.[0-9]*: " err
done
is "$(ls)" "$(printf '%s\n' broken err out test.1.er test.1.er.tar.zst)" 'nothing is left'
done_testing
