#!/bin/sh
# Experiments that are removed while they are read, or added to while they are moved: a partial result is
# never reported as a success, and files added in between are not removed with the rest.
# shellcheck disable=SC2317 # the functions are called by a name in a variable
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

rounds=${RACES:-20}
make_experiment a.er
for i in 2 3 4 5 6 7 8 9; do
	cp -a a.er/_f1.er a.er/_f$i.er
done
er_export -q -o whole.tar.zst a.er
er_export -l whole.tar.zst >whole

# The directory is open, and its name is removed before it is listed: the rest must not pass for all of it.
copied() {
	er_cp --no-sync s.er copy.er 2>>messages
	status=$?
	[ "$status" != 0 ] || same_tree a.er copy.er >&2 || return 1
	[ "$status" = 0 ] || [ ! -e copy.er ]
}
exported() {
	rm -f s.tar.zst
	er_export -q -o s.tar.zst s.er 2>>messages
	status=$?
	[ "$status" = 0 ] || [ ! -e s.tar.zst ] || return 1
	[ "$status" != 0 ] || [ "$(er_export -l s.tar.zst | wc -l)" = "$(wc -l <whole)" ]
}
for reader in copied exported; do
	bad=0
	for _ in $(seq "$rounds"); do
		rm -rf s.er copy.er
		cp -a a.er s.er
		er_rm s.er &
		remover=$!
		$reader || bad=$((bad + 1))
		wait $remover || bad=$((bad + 1))
		[ ! -e s.er ] && [ -z "$(hidden .)" ] || bad=$((bad + 1))
	done
	is $bad 0 "$reader, in $rounds races with a removal: whole, or an error"
done
# A file is added once the copy has begun.
other=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null) || other=
trap '[ -z "$other" ] || rm -rf "$other"' EXIT
if [ -n "$other" ] && [ "$(stat -c %d "$other")" != "$(stat -c %d .)" ]; then
	cp -a a.er s.er
	head -c 100000000 /dev/zero >s.er/hwcounters
	er_mv s.er "$other" 2>err &
	mover=$!
	until [ -n "$(find "$other" -name hwcounters)" ]; do
		kill -0 $mover || break
	done
	echo "for later" >s.er/labels.xml
	wait $mover
	is "$?-$(cat err)" "1-er_mv: 's.er': it changed during the comparison" 'er_mv does not remove what it has not copied'
	is "$(cat s.er/labels.xml)-$(ls -A "$other")" 'for later-' 'the source is whole, and nothing is there'
	er_mv s.er "$other" 2>err
	is "$?-$(cat err)-$(cat "$other/s.er/labels.xml")" '0--for later' 'the same command run again moves everything'
else
	skip 'there is no second file system at /dev/shm' 'between file systems'
fi
note "$(cut -c 1-70 messages | sort | uniq -c)"
done_testing
