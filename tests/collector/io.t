#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# I/O calls: the contents of their records, and that the program does not notice.

program=$BUILD/tests/collector/programs/io
left=$BUILD/tests/collector/programs/io_left

# trace EXPERIMENT COMMAND...
trace() {
	rm -rf "$1"
	collect -i on -p off -A off -o "$@" 2>errors
}

# A fresh directory each time, so that both runs start from the same state.
run_in() { # DIRECTORY COMMAND...
	rm -rf "$1"
	mkdir "$1" || return 1
	(cd "$1" && shift && "$@")
}

# as_said PROGRAM SITUATION TEXT: the calls recorded are those that the program says it made.
as_said() {
	run_in here trace ../io.er "$1" "$2" >said
	is "$?" 0 "$2: the program runs"
	python3 "$TESTDIR/io_records.py" calls io.er >recorded
	check "$3" diff said recorded
}

as_said "$program" calls "every call is recorded once, with its descriptor, bytes and name"
run_in here "$program" calls >alone
check "the program sees the same without us" cmp alone said
is "$(gp-display-text -header 1 io.er 2>/dev/null | grep -ci -e '^no errors' -e '^no warnings')" 2 \
	"gprofng opens it"

as_said "$left" jumped "calls are recorded after a jump out of one"
as_said "$left" cancelled "calls are recorded in the cleanup of a thread that was cancelled in one"
as_said "$left" vforked "calls of a child of vfork are not the parent's"
as_said "$left" beside "nor are those of a process that an unseen clone made with its memory"

trace io.er "$left" forked
is "$(python3 "$TESTDIR/io_records.py" calls io.er)" "2 3 0 open /dev/null
1 3 6 write" "a fork's parent has its own calls"
is "$(python3 "$TESTDIR/io_records.py" calls io.er/_f1.er)" "1 3 5 write
1 3 5 write
1 3 5 write" "so has the child"

trace io.er "$left" many
is "$(python3 "$TESTDIR/io_records.py" calls io.er | awk '{ count[$1]++; bytes += $3 }
	END { print count[1], bytes, count[2], count[3] }')" "20000 200000 4 4" \
	"none of 20000 calls in four threads is lost"

trace io.er "$left" in_handlers
is "$?" 0 "a handler that writes on an alternate stack does no harm"
is "$(python3 "$TESTDIR/io_records.py" calls io.er | grep -vxc -e '2 3 0 open /dev/null' \
	-e '1 3 5 write' -e '1 3 1 write')" 0 "and spoils no event"
er_print -header io.er >header 2>&1
check "nor the file" grep -q '^No warnings' header

# In a sandbox that allows only write.
for way in fflush exit; do
	"$BUILD/tests/collector/programs/descriptors" filtered $way >said 2>&1
	alone="$? $(cat said)"
	trace io.er "$BUILD/tests/collector/programs/descriptors" filtered $way >said
	is "$? $(cat said)" "$alone" "filtered, $way: behaves as alone"
	is "$(python3 "$TESTDIR/io_records.py" calls io.er | sed -n 1p)" "1 1 9 puts" \
		"filtered, $way: calls are recorded"
done

# The wrapper called by the program is the leaf: no other wrapper of ours is between them.
run_in here trace ../io.er -F off "$program" calls >/dev/null
er_export --text --only io --format json io.er | python3 -c '
import json, sys
for line in sys.stdin:
    stack = json.loads(line).get("stack", [])
    objects = [frame["object"] for frame in stack]
    if stack and ("<libcollector.so>" in objects or objects[1] != "<io>"):
        print(stack)
' >wrong
check "each stack is the wrapper and then the program" diff /dev/null wrong

library=$BUILD/lib/erkit/libcollector-io.so
is "$(readelf -dW "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')" \
	"libc.so.6 libcollector.so " "the library needs nothing but libc and ours"
is "$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -c -e ^io_ -e ^trace_ -e ^real_)" 0 \
	"it exports wrappers only"
done_testing
