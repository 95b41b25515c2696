#!/bin/sh
# collect -P finds the libraries that the program itself uses, and processes only where /proc shows those of its own
# PID namespace.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"

# A second libc, loaded later, is usually mapped at a lower address.
cat >program.c <<'END'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	if (!dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW))
		return 2;
	close(open("ready", O_CREAT | O_WRONLY, 0600));
	while (access("recorded", F_OK) < 0)
		usleep(10000);
	for (int i = 0; i < 1000; i++)
		free(malloc(100 + i));
	puts("right");
	return 0;
}
END
cc -D_GNU_SOURCE -O0 -o program program.c
./program >out &
process=$!
await [ -e ready ]
is "$(grep -c '/libc[.-].* 00000000 \|r--p 00000000 .*/libc[.-]' /proc/$process/maps)" 2 "there are two"
collect -A off -H on -P $process 2>log &
await grep -q recording log
touch recorded
wait $process
is "$? $(cat out)" "0 right" "a program with a second libc ends as alone"
wait
er_print -metrics i.heapalloccnt:name -functions test.1.er >functions 2>&1
is "$(awk '$NF == "main" { print ($1 >= 1000) }' functions)" 1 "its own calls are recorded"

if [ "$(id -u)" != 0 ] || ! unshare --pid --fork true 2>err; then
	skip "no PID namespace can be made: $(tail -n 1 err)" "/proc of another namespace is refused"
else
	unshare --pid --fork sh -c 'sleep 60 & collect -P $! 2>log; echo $? >status; kill $!'
	is "$(cat status) $(sed 's/process [0-9]*/process N/' log)" \
		"1 collect: cannot record process N: /proc is that of another PID namespace" "/proc of another namespace is refused"
fi
done_testing
