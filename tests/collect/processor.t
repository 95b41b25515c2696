#!/bin/sh
# Counters of a processor, which a preloaded library plays.
. "$TOP/tests/lib/tap.sh"

# It comes before the run-time of a sanitizer.
export ASAN_OPTIONS=verify_asan_link_order=0
processor=$BUILD/tests/collector/preload/processor.so
opened() { # COUNTERS: how they are opened, and what is said
	SHOW=1 LD_PRELOAD=$processor collect -n -h "$1" true 2>&1 | grep -e '^type' -e '^  counter' -e '^collect: '
}

is "$(opened +0xcd,1009)" "type 4 config 0xcd 0 0 precise 2 kernel 0 every 1009
  counter              0xcd, every 1009 events, with data addresses" "+: precise samples"
is "$(opened +0xd0 | tail -n 1)" "collect: -h 0xd0: this counter has no data addresses" \
	"+: a counter without precise samples is an error"
is "$(opened 0xd0 | tail -n 1)" "  counter              0xd0, every 1000003 events" "and counts without +"

if LIBPFM_FORCE_PMU=skl LD_PRELOAD=$processor collect -h | grep -q MEM_; then
	LIBPFM_FORCE_PMU=skl LD_PRELOAD=$processor collect -h >list
	check "the list marks counters of memory accesses" grep -q '^    \[+\]MEM_INST_RETIRED,' list
	check "but not others with precise samples" grep -q '^    INST_RETIRED,' list
else
	skip "libpfm4 does not know this processor" "the list marks counters of memory accesses"
fi

# Names of the kernel, from a directory that takes the place of its own.
cat >run <<'END'
mount -t tmpfs none /sys/bus/event_source/devices || exit
mkdir -p /sys/bus/event_source/devices/cpu/events /sys/bus/event_source/devices/cpu/format
(
	cd /sys/bus/event_source/devices/cpu || exit
	echo 4 >type
	echo event=0xcd,umask=0x1,ldlat=3 >events/mem-loads
	echo event=0xd1,umask=0x82,edge >events/mem-stores
	echo event=0xd1,other >events/damaged
	echo config:0-7 >format/event
	echo config:8-15,32-35 >format/umask
	echo config:18 >format/edge
	echo config1:0-15 >format/ldlat
)
"$@"
END
if ! unshare -m sh ./run true 2>/dev/null; then
	skip "not allowed to mount" "names of the kernel"
	done_testing
fi
named() { # COUNTERS: how they are opened, or the complaint
	SHOW=1 unshare -m sh ./run env LD_PRELOAD="$processor" collect -n -h "$1" true 2>&1 |
		sed -n -e 's/^type //p' -e "s/^collect: -h $1: //p"
}

is "$(named +mem-loads)" "4 config 0x1cd 0x3 0 precise 2 kernel 0 every 1000003" "+mem-loads"
is "$(named +mem-loads~ldlat=30,2003)" "4 config 0x1cd 0x1e 0 precise 2 kernel 0 every 2003" \
	"an attribute takes the place of a term"
is "$(named mem-stores~system=1)" "4 config 0x482d1 0 0 precise 0 kernel 1 every 1000003" \
	"system=1 counts the kernel's, too"
is "$(named mem-stores~umask=0xfff)" "4 config 0xf0004ffd1 0 0 precise 0 kernel 0 every 1000003" \
	"a value can have several parts"
refused='it has no such attribute, or not with this value'
is "$(named mem-stores~umask=0x1000)" "$refused" "a value that is too large"
is "$(named mem-stores~other=1)" "$refused" "an unknown attribute"
is "$(named damaged)" "$refused" "an unknown term"
is "$(named mem)" "this processor has no such counter" "an unknown name"
is "$(unshare -m sh ./run collect -h | grep mem-)" \
	"    [+]mem-loads,1000003 ('event=0xcd,umask=0x1,ldlat=3' of cpu)
    [+]mem-stores,1000003 ('event=0xd1,umask=0x82,edge' of cpu)" "the list has those with data addresses"

done_testing
