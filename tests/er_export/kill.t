#!/bin/sh
# Killed at any system call, er_export and er_import leave nothing or a whole result at the final
# name, and running them again works and clears up. Every 10th call; STEP=1 for all of them.
. "$TOP/tests/lib/tap.sh"
if ! strace -e trace=none true 2>/dev/null; then
	skip "strace does not work here" "killed at its system calls"
	done_testing
fi
STEP=${STEP:-10}

mkdir -p source/t.1.er/archives source/t.1.er/_f1.er
for file in log.xml map.xml overview _f1.er/log.xml archives/sh_UHyILZt997d; do
	head -c 10000 /dev/urandom >source/t.1.er/$file
done
# One load object that is not archived, and that goes into the bundle by itself.
object=$(readlink -f "$(command -v ls)")
cat >source/t.1.er/map.xml <<X
<event kind="map" object="segment" tstamp="0.000000000" vaddr="0x400000" size="4096" pagesz="4096" foffset="0x0" modes="0x005" chksum="0xFFFFFFFF" name="$object"/>
X
cp source/t.1.er/map.xml source/t.1.er/_f1.er
er_export -q -o whole.tar.zst source/t.1.er
mkdir imported && er_import -q -C imported whole.tar.zst
cat >verify-export <<'X'
if [ -e out/t.tar.zst ]; then
	cmp out/t.tar.zst whole.tar.zst || exit 1
fi
diff -r source/t.1.er copy/t.1.er || exit 1
er_export -q -f -o out/t.tar.zst source/t.1.er || exit 1
cmp out/t.tar.zst whole.tar.zst || exit 1
[ "$(ls -A out)" = t.tar.zst ] || { ls -A out; exit 1; }
X
cat >verify-import <<'X'
if [ -e out/t.1.er ]; then
	diff -r out/t.1.er imported/t.1.er || exit 1
fi
er_import -q -f -C out whole.tar.zst || exit 1
diff -r out/t.1.er imported/t.1.er || exit 1
[ "$(ls -A out)" = t.1.er ] || { ls -A out; exit 1; }
X
mkdir copy && cp -a source/t.1.er copy
check "er_export killed leaves nothing or a whole bundle" \
	"$TOP/tests/lib/inject" -s "$STEP" signal=KILL 'rm -rf out; mkdir out' \
	'er_export -q -o out/t.tar.zst source/t.1.er' 'sh verify-export'
check "er_export -f killed leaves the old bundle or the new one" \
	"$TOP/tests/lib/inject" -s "$STEP" signal=KILL \
	'rm -rf out; mkdir out; cp whole.tar.zst out/t.tar.zst' \
	'er_export -q -f -o out/t.tar.zst source/t.1.er' \
	'[ -e out/t.tar.zst ] && sh verify-export'
check "er_import killed leaves nothing or a whole experiment" \
	"$TOP/tests/lib/inject" -s "$STEP" signal=KILL 'rm -rf out; mkdir out' \
	'er_import -q -C out whole.tar.zst' 'sh verify-import'
check "er_import -f killed leaves the old experiment or the new one" \
	"$TOP/tests/lib/inject" -s "$STEP" signal=KILL \
	'rm -rf out; mkdir out; cp -a imported/t.1.er out' \
	'er_import -q -f -C out whole.tar.zst' '[ -e out/t.1.er ] && sh verify-import'
check "a failing call leaves nothing or a whole experiment" \
	"$TOP/tests/lib/inject" -s "$STEP" error=ENOSPC 'rm -rf out; mkdir out' \
	'er_import -q -C out whole.tar.zst' 'sh verify-import'
cat >verify-error <<'X'
# What libelf cannot read it takes for absent; that costs no more than a description.
if [ "$STATUS" = 0 ]; then
	rm -rf x && mkdir x && er_import -q -C x out/t.tar.zst || exit 1
	diff -r -x manifest -x '*.archive' x/t.1.er imported/t.1.er || exit 1
fi
er_export -q -f -o out/t.tar.zst source/t.1.er || exit 1
cmp out/t.tar.zst whole.tar.zst || exit 1
[ "$(ls -A out)" = t.tar.zst ] || { ls -A out; exit 1; }
X
check "after a failing call er_export says so, or its bundle is whole" \
	"$TOP/tests/lib/inject" -s "$STEP" error=EIO 'rm -rf out; mkdir out' \
	'er_export -q -o out/t.tar.zst source/t.1.er' 'sh verify-error'
done_testing
