#!/bin/sh
# Objects whose debug data and code are hostile have answers for their instructions, be they that nothing is
# known, and take little time and memory.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# The largest case takes about a second and 200 MB, a part of which is for reading the object.
SECONDS_MAX=5
MEGABYTES_MAX=300

replay=$BUILD/tests/fuzz/accesses_fuzz_replay
grep -q __asan_init "$replay" && SECONDS_MAX=60 MEGABYTES_MAX=4000

# measure COMMAND...: print the seconds and megabytes that it takes; it fails if the command does
measure() {
	python3 - "$@" <<-'END'
		import os, resource, subprocess, sys
		status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
		used = resource.getrusage(resource.RUSAGE_CHILDREN)
		print("%.2f %d" % (used.ru_utime + used.ru_stime, used.ru_maxrss // 1024))
		sys.exit(status != 0)
	END
}

for case in $("$TESTDIR/make-hostile"); do
	"$TESTDIR/make-hostile" "$case" "$case"
	used=$(measure "$replay" "$case" 2>errors)
	ok $? "$case is examined" || sed 's/^/# /' errors
	note "$case takes ${used% *} s, ${used#* } MB"
	awk "BEGIN { exit !(${used% *} <= $SECONDS_MAX && ${used#* } <= $MEGABYTES_MAX) }"
	ok $? "$case takes little"
	rm -f "$case"
done
done_testing
