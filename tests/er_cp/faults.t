#!/bin/sh
# At whichever call er_cp is killed or meets an error, the copy is absent or whole, the source is whole, and
# the same command run again makes the copy and leaves nothing else.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/faults.sh
. "$TOP/tests/lib/faults.sh"

# Hundreds of runs wait for the disk often; memory does as well here.
if memory=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null); then
	trap 'rm -rf "$memory"' EXIT
	cd "$memory" || exit 1
fi

make_experiment a.er
list_tree a.er >expected

is_whole() {
	list_tree "$1" | diff expected -
}

prepare() {
	rm -rf b.er
}

runs_again() {
	force=
	[ -e b.er ] && force=-f
	er_cp $force a.er b.er && is_whole b.er && [ -z "$(hidden .)" ]
}

holds() {
	if [ "$1" = 0 ] || [ -e b.er ]; then
		is_whole b.er || return 1
	fi
	# An error is reported as one: once the copy has its name, only the removal of the replaced one, or a
	# kill, follows.
	if [ "$1" = 1 ] && [ -e b.er ]; then
		echo 'status 1, but there is a copy'
		return 1
	fi
	is_whole a.er && runs_again
}

sweep_all 'nothing or a whole copy:' 50 er_cp a.er b.er
sweep_all 'verified, nothing or a whole copy:' 50 er_cp --verify a.er b.er

# A file that is in the stage only for a moment.
# shellcheck disable=SC2218 # the functions above
{
	prepare
	fault -s unlinkat 1 er_cp a.er b.er
	holds $?
}
ok $? 'files that a killed command left in its stage are removed'

# Replacing: the name belongs to the old experiment or the new one.
make_experiment old.er
echo 'older' >old.er/notes
list_tree old.er >expected_old

# shellcheck disable=SC2317
prepare() {
	rm -rf b.er
	cp -a old.er b.er
}

# shellcheck disable=SC2317
holds() {
	if ! list_tree b.er | cmp -s expected_old -; then
		is_whole b.er || return 1
	fi
	is_whole a.er && runs_again
}

sweep_all 'the old one or the new one:' 50 er_cp -f a.er b.er

# File systems without our preferred calls.
lacking() { # TEXT CALL ERROR COMMAND...
	text=$1
	call=$2
	error=$3
	shift 3
	fault -e "$error" -s "$call" 1 "$@" && is_whole b.er && [ -z "$(hidden .)" ]
	ok $? "$text"
}
rm -rf b.er
lacking 'without renaming that does not replace' renameat2 EINVAL er_cp a.er b.er
lacking 'without exchanging' renameat2 EINVAL er_cp -f a.er b.er
rm -rf b.er
lacking 'without locks on directories' flock EBADF er_cp a.er b.er
rm -rf b.er
lacking 'without copying in the kernel' copy_file_range EXDEV er_cp a.er b.er
rm -rf b.er
lacking 'without openat2' openat2 ENOSYS er_cp a.er b.er

done_sweeping
