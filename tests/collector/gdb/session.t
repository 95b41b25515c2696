#!/bin/sh
# A user at the prompt of gdb, on a terminal.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

cat >program.c <<-END
	#include <stdio.h>

	static volatile double sink;

	int work(int n)
	{
	        for (int i = 0; i < 10000000; i++)
	                sink = sink * 1.0001 + 0.5;
	        return n + 1;
	}

	int main(int count, char **words)
	{
	        puts("begins");
	        do
	                work(1);
	        while (count > 1);
	        return work(2);
	}
END
gcc -g -O0 -o program program.c

session() { # NAME [OPTIONS OF GDB]
	session_name=$1
	shift
	timeout 120 python3 "$TESTDIR/session.py" "$TOP/tests/lib" "$session_name" gdb -nx -q "$@" \
		-iex "source $BUILD/lib/erkit/gdb/collector.py" ./program
}

same_as session.manual.out 'the session of the manual' session manual
is "$(labels test.1.er | sed 's/ (.*//')" 'collector_open_experiment
stopped in work
first
collector_pause(debugger)
collector_resume
stopped in main
collector_close_experiment' 'samples at the stops, but not in the pause'
check 'the first experiment is ended' ended test.1.er
check 'the one of the live process, too' ended second.er
check 'it has what ran then' sh -c "er_print -functions second.er | grep -q ' work$'"

rm -rf ./*.er
same_as session.questions.out 'questions of run and kill' session questions
check 'each process was recorded to its end' eval 'ended test.1.er && ended test.2.er'
is "$(find . -name '*.er' | sort | xargs)" './test.1.er ./test.2.er' 'and no other'

rm -rf ./*.er
session interrupt >out
is "$(grep -c 'received signal SIGINT, Interrupt.$' out)" 3 'Ctrl-C stops the program'
check 'the stack is that of the program' grep -q '^#0 .* work' out
is "$(labels test.1.er | grep -c '^after\|^by completion\|^stopped in')" 5 'samples, also by a completed command'
check 'a completed setting is refused' grep -q '^warning: collector profile timer: an experiment is being recorded' out
check 'the end' ended test.1.er
done_testing
