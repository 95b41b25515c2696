#!/bin/sh
# shellcheck disable=SC2317 # check runs the functions
# The commands of the README that answer questions do, for a program that waits, reads, and loses memory.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/ticks.sh
. "$TOP/tests/lib/ticks.sh"

cat >simulate.c <<-END
	#include <pthread.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>

	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static volatile double sink;
	static void *work(void *count)
	{
		for (long i = 0; i < (long)count; i++) {
			pthread_mutex_lock(&mutex);
			for (int j = 0; j < 100000; j++)
				sink = sink * 1.0001 + 0.5;
			usleep(100);
			pthread_mutex_unlock(&mutex);
		}
		return memset(malloc(100000), 1, 100000);
	}
	int main(int count, char **words)
	{
		FILE *file = fopen(words[1], "r");
		pthread_t thread;

		while (getc(file) != EOF)
			;
		pthread_create(&thread, NULL, work, (void *)300);
		work((void *)600);
		pthread_join(thread, NULL);
		return 0;
	}
END
gcc -g -O1 -pthread -o simulate simulate.c
seq 100000 >input
section() {
	sed -n '/^## Questions/,/^## The programs/p' "$TOP/README.md"
}
# shellcheck disable=SC2016 # as they are in the README
record=$(section | sed -n 's/^After `\(.*\)`:$/\1/p')
with_ticks 20 test.1.er sh -c "$record"
with_ticks 20 test.2.er sh -c "$record"
check "the recordings" test -d test.1.er -a -d test.2.er
# shellcheck disable=SC2016
section | grep -o '`er_print [^`]*`' | tr -d '`' | grep -v '^er_print test.1.er$' >commands
check "there are commands" test "$(wc -l <commands)" -ge 10

# answers COMMAND WHAT: the output has it
answers() {
	sh -c "$(grep -e "$1" commands)" >out 2>err || cat err
	grep -q -e "$2" out && [ ! -s err ]
}
check "which function" answers '-functions test.1.er' 'work$'
sh -c "$(sed 's/main/work/' commands | grep -e -source | tr ',' '\n' | head -n 1)" >out
check "which line" grep -q '^##.*\(sink = \|int j\)' out
sh -c "$(sed 's/main/work/' commands | grep -e -disasm)" >out
check "which instruction" grep -q '^##.*\[' out
check "which call path" answers '-calltree test.1.er' '+-work'
check "and what calls and is called" answers '-csingle' 'Stack Fragment'
check "which call waits for a lock, and where" answers 'i.sync:' '+-pthread_mutex_lock'
check "which lock" answers 'Locks' 'Locks 0x'
check "which file" answers '-ioactivity' 'input'
check "which allocation" answers '-leaks' 'work'
check "which thread, process, CPU, second" answers '-Seconds' 'Thread'
sh -c "$(grep -e -thread_select commands | sed 's/> 1000000000/> 0/')" >out
check "which part of the run" grep -q 'work$' out
# shellcheck disable=SC2016
sh -c "$(section | sed -n 's/.*(after `\(collect [^`]*\)`).*/\1/p')" 2>error
sh -c "$(grep -e -data_objects commands | sed 's/test\.1/test.3/')" >out
check "which structure, and which member" grep -q '^ *[0-9]* *[0-9.]* *[#/?|] *0 *[0-9]* {structure:.*}$' out
sh -c "$(grep -e '-data_sort.*-allocs' commands | sed 's/test\.1/test.3/')" >out
check "which allocation has the data" grep -q '^Allocation #1, .*, Data-derived page-faults Events = [1-9]' out
check "what became slower" answers '-compare delta' '<Total>'
done_testing
