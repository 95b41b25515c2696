#!/bin/sh
# Directories in a lower layer of an overlay, as in a container's image, cannot be renamed. They are removed
# and moved all the same, and not replaced.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

if [ "${MOUNTED-}" != yes ]; then
	[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null &&
		MOUNTED=yes exec unshare -m sh "$0"
	skip 'mounting needs root' 'overlays'
	done_testing
fi
mkdir lower upper work over
mount -t overlay -o redirect_dir=off,lowerdir=lower,upperdir=upper,workdir=work none over 2>/dev/null || {
	skip 'overlays are not available' 'overlays'
	done_testing
}
umount over

make_experiment a.er
library a.so 1
experiment recorded.er
segment recorded.er "$PWD/a.so" "$(identity a.so)"
for name in removed moved away replaced; do
	cp -a a.er lower/$name.er
done
cp -a recorded.er lower/
er_archive lower/recorded.er
mount -t overlay -o redirect_dir=off,lowerdir=lower,upperdir=upper,workdir=work none over

er_rm over/removed.er 2>err
is "$?-$(cat err)" 0- 'er_rm removes it'
er_mv over/moved.er over/there.er 2>err
is "$?-$(cat err)" 0- 'er_mv moves it'
check 'whole' same_tree a.er over/there.er
er_mv over/away.er . 2>err
is "$?-$(cat err)" 0- 'also out of the overlay'
check 'whole' same_tree a.er away.er
er_cp -f away.er over/replaced.er 2>err
is "$?-$(cat err)" "1-er_cp: 'replaced.er' cannot be replaced in one step: remove it first" \
	'er_cp -f does not replace it'
check 'so it stays as it is' same_tree a.er over/replaced.er
er_archive over/recorded.er 2>err && er_archive -F over/recorded.er 2>>err &&
	er_archive --check over/recorded.er 2>>err
is "$?-$(cat err)" 0- 'er_archive -F renews its archives'
is "$(ls -A over)" 'recorded.er
replaced.er
there.er' 'nothing else is left'
is "$(hidden over/recorded.er)$(find over/recorded.er -name '.*')" '' 'nor anything hidden'
umount over
done_testing
