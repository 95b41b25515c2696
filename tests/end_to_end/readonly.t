#!/bin/sh
# Read-only file systems: the tools say so before they do anything, in a dry run as well.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

if [ "${MOUNTED-}" != yes ]; then
	[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null &&
		MOUNTED=yes exec unshare -m sh "$0"
	skip 'mounting needs root' 'read-only file systems'
	done_testing
fi

make_experiment a.er
er_export -q -o a.tar.zst a.er
mkdir fixed
mount -t tmpfs none fixed || {
	skip 'nothing can be mounted here' 'read-only file systems'
	done_testing
}
cp -a a.er fixed/there.er
mount -o remount,ro fixed
: >before
ls -A >before

refused_both_ways "cannot create 'fixed/b.er': Read-only file system" er_cp a.er fixed/b.er
refused_both_ways "cannot create 'fixed/there.er': Read-only file system" er_cp -f a.er fixed/there.er
refused_both_ways "cannot create 'fixed/b.er': Read-only file system" er_mv a.er fixed/b.er
refused_both_ways "cannot remove 'fixed/there.er': Read-only file system" er_mv fixed/there.er b.er
refused_both_ways "cannot remove 'fixed/there.er': Read-only file system" er_rm fixed/there.er
refused_both_ways "'a.tar.zst': cannot create 'fixed/a.er': Read-only file system" er_import -C fixed a.tar.zst
refused_both_ways "cannot create 'fixed/b.tar.zst': Read-only file system" er_export -o fixed/b.tar.zst a.er
is "$(ls -A)" "$(cat before)" 'nothing is made'
check 'and nothing removed' same_tree a.er fixed/there.er
umount fixed
done_testing
