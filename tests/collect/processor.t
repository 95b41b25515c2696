#!/bin/sh
# Counters of a processor, which a preloaded library plays.
. "$TOP/tests/lib/tap.sh"

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

done_testing
