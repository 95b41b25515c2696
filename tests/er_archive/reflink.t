#!/bin/sh
# Where the file system shares blocks, objects with a build-id are copied without being read, and enough is
# still known of the copy. As root, on a new file system in a file.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

trap 'umount mnt 2>/dev/null' EXIT
truncate -s 400M image
mkdir mnt
if ! { mkfs.xfs -q image || mkfs.btrfs -q image; } >/dev/null 2>&1 ||
	! mount -o loop image mnt 2>/dev/null; then
	skip "no file system can be mounted" "sharing blocks"
	done_testing
fi
top=$PWD
cd mnt || exit 1
library a.so 1
library plain.so 2
if ! cp --reflink=always a.so probe 2>/dev/null; then
	cd "$top" || exit 1
	skip "the file system does not share blocks" "sharing blocks"
	done_testing
fi
strip -R .note.gnu.build-id plain.so
experiment test.1.er
segment test.1.er "$PWD/a.so" "$(identity a.so)"
segment test.1.er "$PWD/plain.so" "$(identity plain.so)"

er_archive -v test.1.er >out
is "$? $(cut -d' ' -f1 out | uniq)" "0 copied" "objects are copied"
copy=$(stored test.1.er "$PWD/a.so")
check "with equal contents" cmp a.so "$copy"
is "$(grep " $PWD/a.so " test.1.er/archives/manifest | cut -d' ' -f1,10)" "copied -" \
	"without a checksum where there is a build-id"
is "$(grep " $PWD/plain.so " test.1.er/archives/manifest | cut -d' ' -f10 | tr -d '\n' | wc -c)" 32 \
	"and with one elsewhere"
is "$(er_archive -v test.1.er | cut -d' ' -f1 | uniq)" present "a second run has nothing to do"
er_archive --check test.1.er
is $? 0 "and all is complete"

printf X | dd of="$copy" bs=1 seek=5000 conv=notrunc 2>/dev/null
er_archive --check test.1.er 2>err
is "$? $(cat err)" "1 er_archive: changed '$PWD/a.so': its copy differs from the original" \
	"a changed byte is found by comparison with the original"
er_archive -F test.1.er
mv a.so away
er_archive --check -v test.1.er >out
is "$? $(cat out)" "0 present $PWD/a.so: no checksum recorded
present $PWD/plain.so" "and a missing original is reported"
mv away a.so

er_archive -F -d store test.1.er
is "$? $(grep -c ' - -$' test.1.er/archives/manifest)" "0 0" "shared files always have a checksum"
er_archive --check test.1.er
is $? 0 "and is complete"
cd "$top" || exit 1
done_testing
