#!/bin/sh
# er_archive at the end of the run: started once, unnoticed by the program.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# This archiver records how it was called. It must not affect the program.
cat >archiver <<EOF
#!/bin/sh
echo "\$0 \$*" >>'$PWD/calls'
env | grep -E '^(LD_PRELOAD|SP_COLLECTOR)' >>'$PWD/calls'
ls /proc/\$\$/fd >'$PWD/descriptors'
echo "to stdout"; echo "to stderr" >&2
for a; do last=\$a; done
: >"\$last/archive.log"
exit \${ARCHIVER_STATUS:-0}
EOF
chmod +x archiver
experiment=$PWD/recorded.er

as_before() { # NAME PROGRAM...
	as_before_name=$1
	shift
	: >calls
	"$@" >alone.out 2>&1
	echo "status $?" >>alone.out
	record recorded.er "p:1000;a:on;P:$PWD/archiver;" "$@" >recorded.out 2>&1
	echo "status $?" >>recorded.out
	is "$(cat recorded.out)" "$(cat alone.out)" "$as_before_name: behaves as alone"
}

as_before "a process" "$programs/threads" busy
is "$(cat calls)" "$PWD/archiver --automatic -q -a on --outfile - $experiment" \
	"it is called once, with none of our variables in its environment"
is "$(grep -vxE '[0-2]|1[0-9]|255' descriptors)" "" \
	"it gets no descriptors but the first three (and its shell's own)"
check "the log names the command" grep -aq "Archive command .*archiver --automatic -q -a on" \
	recorded.er/log.xml

as_before "a process that hears of its children" "$programs/signals" no_child
is "$(grep -c archiver calls)" 1 "and does not notice er_archive"

as_before "a process with children" "$programs/processes" waits
is "$(grep -c archiver calls)" 1 "children that end before the founder leave archiving to it"

as_before "an image after another" "$programs/processes" executes "$PWD/alone.out"
is "$(grep -c archiver calls)" 1 "the last image of the founder calls it"

ARCHIVER_STATUS=1
export ARCHIVER_STATUS
as_before "a failing archiver" "$programs/threads" thread_exits_process
check "is named in the log" grep -aq 'ended with status 1' recorded.er/log.xml
unset ARCHIVER_STATUS

record recorded.er "p:1000;a:on;P:/nowhere/archiver;" true
is $? 0 "a missing archiver does no harm"

: >calls
record recorded.er "p:1000;a:on;P:$PWD/archiver;" "$programs/processes" becomes_daemon
for _ in $(seq 100); do
	[ "$(grep -c archiver calls)" -ge 2 ] && break
	sleep .2
done
is "$(cat calls)" "$PWD/archiver --automatic -q -a on --outfile - $experiment
$PWD/archiver --automatic -n -q -a on --outfile - $experiment/_f1.er" \
	"a descendant that outlives the founder calls the archiver itself"

: >calls
record recorded.er "p:1000;a:off;P:$PWD/archiver;" true
is "$(cat calls)" "" "-A off: not called"

# Programs that may be gone before the founder ends are described when they end: each of them once, and only
# if they are as new as the run.
cat >brief.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static volatile long count;
static void count_up(void)
{
	for (long i = 0; i < 40000000; i++)
		count += i;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (fork() == 0)
			_exit(0);
	while (wait(NULL) > 0)
		;
	count_up();
	return 0;
}
END
cc -Wl,--build-id -o kept brief.c
sleep .1
cat >builds <<'END'
cp kept brief
for i in 1 2 3 4 5; do ./brief child child; done
rm brief
./kept
END
collect -o removed.er sh builds >out 2>&1
er_print -functions removed.er >functions
check 'a program that was removed has names' grep -q ' count_up$' functions
is "$(grep -c '<brief>' functions)" 0 'all of it'
is "$(er_archive -a on removed.er 2>&1; echo $?)" 0 'and nothing is missing'
is "$(cat removed.er/_*/archive.log | grep -c 'er_archive --automatic -n')" 1 \
	'it is described by the first of its processes'
check 'which says so' grep -q 'Archive command .* -n -q -a on' "$(dirname removed.er/_*/archive.log)/log.xml"

# A program that is killed leaves no archives. If they were wanted, the first reader makes them.
for mode in off on; do
	# shellcheck disable=SC2016 # for that shell
	(collect -A $mode -o killed_$mode.er sh -c 'kill -9 $$'; :) >out 2>&1
	er_print -functions killed_$mode.er >out 2>&1
done
is "$(ls killed_off.er/archives)" '' '-A off, killed: er_print makes no archives'
is "$(er_print -header killed_off.er | grep -c 'archiving is off')" 1 '-A off, killed: the header says why'
check '-A on, killed: er_print makes them' test -e killed_on.er/archives/manifest
collect -A off -o ended.er true >out 2>&1
is "$(er_print -header ended.er | grep -c 'archiving is off')" 1 '-A off: the header says so once'

done_testing
