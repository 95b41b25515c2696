#!/bin/sh
# The libraries that each program loads at start. Each library costs every run up to a millisecond.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

needed() {
	readelf -d "$BUILD/bin/$1" | sed -n 's/.*(NEEDED).*\[lib\(.*\)\.so.*/\1/p' |
		grep -vx 'c\|asan\|ubsan\|pthread\|m\|gcc_s\|dl' | sort | xargs
}
is "$(needed er_rm)" 'xml2' 'er_rm reads logs and nothing else'
is "$(needed er_mv)" "$(needed er_cp)" 'er_mv copies as er_cp does, also to other hosts'
for program in er_archive er_cp er_export er_print; do
	is "$(needed $program | tr ' ' '\n' | grep -c 'crypto\|archive')" 0 \
		"$program loads the libraries of bundles when it needs them"
done
is "$(needed collect | tr ' ' '\n' | grep -c 'crypto\|archive\|zstd\|xml2')" 0 \
	'collect links nothing that reads bundles or logs'
done_testing
