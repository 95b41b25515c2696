#!/bin/sh
# A recording of everything that is refused room: the program behaves as alone, the log says what happened
# wherever it can be written, and everything recorded before is there.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

program=$BUILD/tests/collector/programs/counted
everything='-A off -p on -H on -s all -i on'
collect -n -h page-faults true >/dev/null 2>&1 && everything="$everything -h page-faults"

# recorded NAME DIRECTORY RUNNER...: make the experiment test.er there, with collect started by RUNNER. Output
# goes through pipes, which have no limit.
recorded() {
	recorded_name=$1
	place=$2
	shift 2
	# shellcheck disable=SC2086 # options
	set -- "$@" collect $everything -o "$place/test.er" "$program" - 4 "$rounds" children
	"$program" - 4 "$rounds" children 2>&1 >alone.out | cat >alone.err
	{ { "$@" 2>&3; echo "status $?"; } | cat >out; } 3>&1 | sed '/^collect: recording to /d' >err
	echo 'status 5' >>alone.out
	check "$recorded_name: the program prints the same as alone" diff alone.out out
	check "$recorded_name: it has the same errors" diff alone.err err
}

count() { # READER: "ALLOCATIONS LOCKS READS" of all functions
	"$1" -metrics i.heapalloccnt:i.syncn:i.ioreadcnt -functions "$place/test.er" 2>/dev/null |
		awk '$NF == "<Total>" { print $1, $2, $3 }'
}

# says NAME ERROR LEAST: recording stopped for that error, after at least that many allocations.
says() {
	check "$1: the log says why recording stops" \
		grep -aq "kind=\"cerror\" id=\"23\" ec=\"$2\">recording stops" "$place/test.er/log.xml"
	er_print -functions "$place/test.er" 2>&1 >/dev/null | sed 's/.*: error while/error while/' >warnings
	check "$1: er_print warns of it with every table" \
		grep -q '^error while recording: file could not be resized: recording stops: ' warnings
	counts=$(count er_print)
	check "$1: earlier records are there: $counts" [ "${counts%% *}" -ge "$3" ]
	if command -v gp-display-text >/dev/null; then
		is "$(count gp-display-text)" "$counts" "$1: gprofng's reader finds as much"
	fi
	er_print -header all "$place/test.er" >header.txt 2>&1
	is "$(grep -E 'arning|rror|damage' header.txt | grep -v -e '^No errors' -e '^No warnings' \
		-e 'Collector Error: file could not be resized: recording stops' \
		-e 'error while recording: file could not be resized: recording stops' \
		-e 'directory could not be created: _f[123].er -- No space left on device')" "" \
		"$1: nothing else is wrong, nor with descendants"
}

# ---- a file size limit; each of the data files is cut at another place ----

# shellcheck disable=SC2317 # called by recorded
limited() { # BLOCKS COMMAND...
	blocks=$1
	shift
	(ulimit -f "$blocks" && exec "$@")
}
rounds=20000
for kib in 600 1024 2048 6000; do
	rm -rf test.er
	recorded "$kib KiB for a file" . limited $((kib * 2))
	says "$kib KiB for a file" 27 2000
done
rm -rf test.er
recorded "8 KiB for a file" . limited 16
says "8 KiB for a file" 27 0
rounds=100
rm -rf test.er
recorded "no KiB for a file" . limited 0

# ---- no timers ----

rounds=100
for limit in '' '-t 100'; do
	rm -rf test.er
	# shellcheck disable=SC2086 # options
	prlimit --sigpending=0 collect -A off -p on $limit -o test.er "$program" - 1 "$rounds" >out 2>err
	is "$(er_print -header test.er | grep -c "^\*\*\* Collector Warning: .*: no timers for threads, as with 'ulimit -i 0'")" 1 \
		"no timers${limit:+, $limit}: the log says so"
	check "its CPU time is that of no call stack" sh -c 'er_print -functions test.er | grep -q " not_sampled$"'
done

# ---- a full disk ----

rounds=20000
mkdir full
trap 'umount full 2>/dev/null' EXIT
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k none full 2>/dev/null; then
	umount full
	for size in 24k:0 64k:0 1m:0 3m:1 4m:2000 8m:2000; do
		mount -t tmpfs -o size=${size%:*} none full
		recorded "a disk of ${size%:*}" full
		says "a disk of ${size%:*}" 28 "${size#*:}"
		umount full
	done
	mount -t tmpfs none full && mkdir full/test.er && mount -o remount,ro full
	rounds=1000
	library=$BUILD/lib/erkit/libcollector.so
	for kind in heap sync io; do
		library="$library $BUILD/lib/erkit/libcollector-$kind.so"
	done
	"$program" - 4 $rounds children >alone.out 2>&1
	env SP_COLLECTOR_EXPNAME="$PWD/full/test.er" SP_COLLECTOR_PRELOAD="$library" \
		SP_COLLECTOR_PARAMS='p:1000;S:1;F:3;H:;s:0,n;i:;a:off;' LD_PRELOAD="$library" \
		"$program" - 4 $rounds children >out 2>&1
	is $? 5 "a disk that cannot be written: the program ends as when run alone"
	check "a disk that cannot be written: it prints the same as alone" diff alone.out out
	umount full
else
	skip "no mount" "a full disk"
fi

# disk KIND: mount a file system of that kind on full, with at least 60 MB of room.
disk() {
	if [ "$1" = tmpfs ]; then
		mount -t tmpfs -o size=64m none full 2>/dev/null
		return
	fi
	rm -f image && truncate -s 400M image && "mkfs.$1" -q image >/dev/null 2>&1 &&
		mount -o loop image full 2>/dev/null
}

leave() { # KIB
	fallocate -l $(($(df --output=avail -k full | tail -n 1) - $1))k full/other
}

# A disk that another process fills during the recording: parts already written may not be written again.
fill() {
	while [ ! -s full/test.er/log.xml ] && [ ! -e filled ]; do sleep .01; done
	while [ ! -e filled ]; do
		dd if=/dev/zero bs=16k 2>/dev/null >>full/other
		sync -f full
		sleep .02
	done
}

usual=$everything
for kind in ext4 xfs btrfs tmpfs; do
	if ! disk $kind; then
		skip "no such file system can be mounted" "a disk with $kind"
		continue
	fi
	if [ $kind != btrfs ]; then # it has no exact size
		rounds=20000
		leave 6000
		recorded "a disk with $kind" full
		says "a disk with $kind" 28 1000
	fi
	case $kind in
	ext4) clocks='hi off' ;;
	xfs) clocks=off ;;
	*) clocks=hi ;;
	esac
	for clock in $clocks; do
		everything="$(echo "$usual" | sed "s/-p on/-p $clock/")"
		rounds=60000
		rm -rf full/test.er full/other filled
		leave 12000 # less than is recorded: a busy host may fill it late
		fill &
		recorded "$kind filled while recording, clock $clock" full
		touch filled
		wait
		check "$kind filled while recording, clock $clock: the log says why recording stops" \
			grep -aq "ec=\"28\">recording stops" full/test.er/log.xml
		check "$kind filled while recording, clock $clock: earlier records are there" \
			[ "$(count er_print | cut -d' ' -f1)" -gt 0 ]
	done
	umount full
done
everything=$usual

# ---- removed while it grows ----

rounds=40000
rm -rf test.er
(
	while [ ! -s test.er/iotrace ]; do sleep .01; done
	until rm -rf test.er 2>/dev/null; do :; done # descendants may be made at the same time
) &
recorded "removed" .
wait
check "removed: it is not made again" [ ! -e test.er ]

# ---- a directory in which no more can be made: descendants are named in the log ----

rounds=1000
mkdir theirs
chmod 777 theirs
chmod 755 . ..
if as_user test -x "$BUILD/bin/collect" -a -w theirs 2>/dev/null; then
	"$program" - 4 $rounds children >alone.out 2>alone.err
	# shellcheck disable=SC2016,SC2086 # for it to expand; options
	as_user collect $everything -o theirs/test.er sh -c 'chmod 555 theirs/test.er; "$@"; exit $?' sh \
		"$program" - 4 $rounds children >out 2>err
	is $? 5 "no descendants: the program ends as when run alone"
	sed -i '/^collect: recording to /d' err
	check "no descendants: it prints the same as alone" diff alone.out out
	check "no descendants: it has the same errors" diff alone.err err
	is "$(tr '\0' '\n' <theirs/test.er/log.xml | sed -n 's/.*id="34" ec="13">\(.*\)<.*/\1/p')" _f2.er \
		"no descendants: the log says which cannot be made"
	is "$(er_print -header all theirs/test.er 2>&1 | grep -E 'arning|rror' | sort -u)" \
		"*** Collector Warning: directory could not be created: _f2.er -- Permission denied
No errors
No warnings" "no descendants: readers are told, and nothing else is wrong"
	chmod 755 theirs/test.er
else
	skip "another user cannot run our programs here" "no descendants"
fi
done_testing
