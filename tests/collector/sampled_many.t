#!/bin/sh
# More statically linked programs at one time than there is memory for the kernel's rings.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# A user without any other process, and the memory that the kernel lets a user lock for each processor.
as_nobody="setpriv --reuid=$((100000 + $$)) --regid=65534 --clear-groups"
if [ "$(id -u)" != 0 ] || ! $as_nobody true 2>/dev/null; then
	skip "only root can become a user without other processes" "many static programs"
	done_testing
fi
if [ "$(cat /proc/sys/kernel/perf_event_mlock_kb)" != 516 ] || [ "$(getconf PAGESIZE)" != 4096 ]; then
	skip "the kernel's limit is not the usual one" "many static programs"
	done_testing
fi
# A place that this user can reach.
cp "$BUILD"/lib/erkit/*.so "$BUILD/lib/erkit/erkit-sampler" . && chmod 755 .. . && library=$PWD/libcollector.so
if ! ${CC:-cc} -static -O2 -g -D_GNU_SOURCE -pthread -o sampled "$TESTDIR/programs/sampled.c" 2>/dev/null ||
	! $as_nobody ./sampled has_events; then
	skip "no static libc, or no events of the kernel" "many static programs"
	done_testing
fi

# Of 129 pages for each processor, seven programs take 17, and one is left with less.
mkdir recorded.er && chmod 777 recorded.er || exit
cat >run <<'END'
ulimit -l 0
for _ in 1 2 3 4 5 6 7 8; do
	./sampled shares .3 &
done
wait
END
$as_nobody env SP_COLLECTOR_EXPNAME="$PWD/recorded.er" SP_COLLECTOR_PARAMS='F:3;p:10007;a:off;' \
	SP_COLLECTOR_PRELOAD="$library" LD_PRELOAD="$library" bash run >out
is "$(grep -c '^used' out)" 8 "all run"
for _ in $(seq 50); do
	[ "$(grep -asl 'kind="exit"' recorded.er/_f*_x1.er/log.xml | wc -l)" = 8 ] && break
	sleep .1
done
is "$(find recorded.er -maxdepth 1 -name '_f*_x1.er' | wc -l)" 8 "all are sampled"
check "with no record lost" sh -c "! grep -aq 'the kernel lost' recorded.er/*/log.xml"
er_print -functions recorded.er >>out
awk '/<Total>/ { seen = $3 } /^used/ { used += $2 } END { print seen, used; exit !(seen > .9 * used) }' out >both
ok $? "with their time: $(cat both) s"

done_testing
