#!/bin/sh
# A mount in an experiment, or at its name, does not belong to the experiment and is never removed.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment original.er
mkdir k probe
if [ "$(id -u)" != 0 ] || ! mount -t tmpfs none probe 2>/dev/null; then
	skip 'mounting is not permitted' 'mounts in experiments'
	done_testing
fi
umount probe
trap 'umount k/*/notes k/x.er/_f1.er/log.xml k/x.er/archives/p* k/x.er/_f3.er k/x.er/archives k/x.er 2>/dev/null' EXIT

# Nothing of k/x.er and its mount may be removed; $2 is the mount point.
refused() {
	list_tree k >before
	for options in '' -n -f -r -rn; do
		operand=k/x.er
		case $options in -r*) operand=k ;; esac
		# shellcheck disable=SC2086 # no option at all
		er_rm $options $operand >out 2>err
		is "$?-$(list_tree k | diff before - && ls -A k)" 1-x.er "$1: er_rm $options $operand"
		grep -q "'$2' is a mount point" err
		ok $? 'and the mount point is named'
	done
}

cp -a original.er outside.er
cp -a original.er k/x.er
mkdir k/x.er/_f3.er
mount --bind outside.er k/x.er/_f3.er
rm -rf outside.er/_*.er
refused 'a bind mount of the same file system' _f3.er
if [ -d /dev/shm ] && [ "$(stat -c %d /dev/shm)" != "$(stat -c %d .)" ]; then
	er_mv k/x.er /dev/shm/er_mounts.$$.er 2>err
	is "$?-$(list_tree k | diff before -)" 1- 'nor does a move to another file system remove it'
	check 'and it copies nothing' [ ! -e /dev/shm/er_mounts.$$.er ]
fi
er_cp -f original.er k/x.er 2>err
is "$?-$(list_tree k | diff before -)" 1- 'nor does a copy replace it'
umount k/x.er/_f3.er
rmdir k/x.er/_f3.er

mkdir -p k/x.er/archives
mount -t tmpfs none k/x.er/archives
echo text >k/x.er/archives/object
refused 'another file system' archives
umount k/x.er/archives

mount --bind original.er k/x.er
refused 'the experiment itself' 'k/x.er'
umount k/x.er

# A single mounted file, which no directory listing shows.
for name in notes _f1.er/log.xml archives/prog_UHyILZt997d; do
	cp -a original.er/notes 'outside 1'
	mount --bind 'outside 1' "k/x.er/$name"
	refused "the file $name" "$name"
	if [ -d /dev/shm ] && [ "$(stat -c %d /dev/shm)" != "$(stat -c %d .)" ]; then
		er_mv k/x.er /dev/shm/er_mounts.$$.er 2>err
		is "$?-$(list_tree k | diff before -)" 1- 'nor does a move remove it'
		check 'and it copies nothing' [ ! -e /dev/shm/er_mounts.$$.er ]
	fi
	er_cp -f original.er k/x.er 2>err
	is "$?-$(list_tree k | diff before -)" 1- 'nor does a copy replace it'
	umount "k/x.er/$name"
done
mv k/x.er 'k/x y\z.er'
mount --bind 'outside 1' 'k/x y\z.er/notes'
er_rm 'k/x y\z.er' 2>err
is "$? $(cat err)" "1 er_rm: 'k/x y\z.er': 'notes' is a mount point" 'a name with a blank in it'
umount 'k/x y\z.er/notes'

er_rm -r k
is "$?-$(ls -A k)" 0- 'without mounts it goes'
done_testing
