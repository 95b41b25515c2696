#!/bin/sh
# At whichever call er_import --into is killed or meets an error, a rank is there with all its processes, or not at all;
# of one that is replaced, an error leaves what was there. The same command run again works and cleans up. What is being
# recorded, or in use, is left alone.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"
# shellcheck source=tests/lib/faults.sh
. "$TOP/tests/lib/faults.sh"

# Hundreds of runs wait for the disk often; memory does as well here.
if memory=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null); then
	trap 'rm -rf "$memory"' EXIT
	cd "$memory" || exit 1
fi

# process DIRECTORY RANK HOST: what a process has recorded; two recordings have different hosts
process() {
	experiment "$1"
	cat >"$1/log.xml" <<END
<?xml version='1.0' encoding='UTF-8' ?>
<experiment version="12.4">
<system hostname="$3" arch="x86_64"/>
<setting mpi_rank="$2"/>
<event kind="run" tstamp="0.000000000" time="1706933045"/>
<event kind="exit" tstamp="1.000000000"/>
</experiment>
END
	segment "$1" "$PWD/object.so"
}

# rank DIRECTORY HOST PROCESSES: recorded apart, with all load objects
rank() {
	process "$1" 1 "$2"
	for number in $(seq "$3"); do
		process "$1/_f$number.er" 1 "$2 $number"
	done
	er_archive -q -a copy "$1"
}

mkdir far
process job.er 0 founder
process job.er/M_r0.er 0 first
library object.so 1 && touch -d 2024-01-01 object.so
er_archive -q -a copy job.er
rank far/old.1.er old 3
er_export -q -o old.tar far/old.1.er
library object.so 2 && touch -d 2024-01-02 object.so
rank far/new.1.er new 2
er_export -q -o new.tar far/new.1.er
cp -a job.er before.er
cp -a job.er old.er
er_import -q --into=old.er old.tar
cp -a old.er whole.er
er_import -q -f --into=whole.er new.tar

# ranks FOUNDER: what its ranks 1 to 19 and their processes have
ranks() {
	(cd "$1" && find . -path './M_r1*' -type f -exec cksum {} + | LC_ALL=C sort -k 3)
}
for experiment in old whole; do
	ranks $experiment.er >ranks.$experiment
done
is "$(cut -d ' ' -f 3 ranks.whole | cut -d / -f 2 | uniq | tr '\n' ' ')" 'M_r1.er M_r1_f1.er M_r1_f2.er ' \
	'a rank is replaced with its processes'
is "$(find whole.er/archives -name 'object*' ! -name '*.archive' | wc -l)" 2 'each version of a load object is there'

prepare() {
	rm -rf job.er
	cp -a "$there" job.er
}

# What belongs to others is as before.
has_others() {
	diff -r -x 'M_r1*' -x '.*' -x archives before.er job.er &&
		diff before.er/archives job.er/archives | sed '/^Only in job.er/d; /manifest/d' >others && ! grep '^[OB]' others
}

imports_again() {
	er_import -q -f --into=job.er new.tar && ranks job.er | diff ranks.whole - &&
		diff -r -x manifest whole.er job.er && er_archive --check job.er && [ -z "$(find job.er -name '.*')" ]
}

holds() {
	ranks job.er >now
	if [ "$1" = 0 ]; then
		diff ranks.whole now || return 1
	elif [ "$1" = 1 ]; then
		diff "ranks.$is_there" now || return 1
		[ -s sweep.out ] || echo 'an error without a message'
	elif [ -e job.er/M_r1.er ]; then
		cmp -s ranks.whole now || diff "ranks.$is_there" now || return 1
	fi
	has_others && imports_again
}

: >ranks.nothing
there=before.er is_there=nothing
sweep_all 'er_import --into, nothing or a whole rank:' 50 er_import -q --into=job.er new.tar
there=old.er is_there=old
sweep_all 'er_import -f --into, the old rank or the new one:' 50 er_import -q -f --into=job.er new.tar

# One rename replaces a rank that has no processes: one of both is there at any moment.
rank far/single.1.er single 0
er_export -q -f -o new.tar far/single.1.er
rm -rf old.er whole.er far/old.1.er
cp -a before.er old.er
rank far/old.1.er old 0
er_export -q -f -o old.tar far/old.1.er
er_import -q --into=old.er old.tar
cp -a old.er whole.er
er_import -q -f --into=whole.er new.tar
for experiment in old whole; do
	ranks $experiment.er >ranks.$experiment
done

# shellcheck disable=SC2317
holds() {
	ranks job.er >now
	cmp -s ranks.whole now || { [ "$1" != 0 ] && diff ranks.old now; } || return 1
	has_others && imports_again
}
sweep_all 'er_import -f --into, one or the other:' 50 er_import -q -f --into=job.er new.tar

done_sweeping
