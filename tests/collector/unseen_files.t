#!/bin/sh
# Files of descriptors that no wrapper saw opened have their names: those of another program, of the time before
# the recording, of a pause, of system calls, of other processes.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"

program=$BUILD/tests/collector/programs/unseen_files
for file in before inherited openat2 open seen passed paused shared; do
	head -c 10000 /dev/zero >$file
done

# files EXPERIMENT: the count and bytes of reads of each file, without the directory.
files() {
	er_print -metrics ioreadcnt:ioreadbytes:name -ioactivity "$1" |
		sed -n "s,$PWD/,/,; s/ (FS=.*//; s/^\( *[0-9]\+\) \+\([0-9]\+\) \+/\1 \2 /p" |
		awk '{ $1 = $1 } $1 > 0' | LC_ALL=C sort -k 3
}

collect -i on -p off -A off -o test.er "$program" 9<inherited 2>err
is "$?" 0 'the program runs'
is "$(files test.er)" "2 20 /inherited
1 10 /open
1 10 /openat2
1 10 /passed
1 10 /paused
400 4000 /shared
409 4081 <Total>
1 1 <pipe(), socket(), or other fds>
2 20 seen" 'each file has its name'
is "$(files test.er/_f2.er)" "1 10 /inherited
1 10 <Total>" 'in the child of a fork, too'
is "$(gp-display-text -metrics i.ioreadcnt -functions test.er 2>/dev/null | awk '$2 == "<Total>" { print $1 }')" \
	409 'gprofng counts the calls alone'

"$program" ready go 9<inherited &
process=$!
await test -e ready
collect -i on -p off -o attached.er -P $process 2>log &
collect=$!
await grep -qs 'recording to' log
: >go
wait $collect
wait $process
is "$?" 0 'the program runs after it was attached to'
is "$(files attached.er)" "1 10 /before
1 10 /inherited
1 10 /open
1 10 /openat2
1 10 /passed
400 4000 /shared
408 4071 <Total>
1 1 <pipe(), socket(), or other fds>
2 20 seen" 'each file has its name when the program is attached to'
done_testing
