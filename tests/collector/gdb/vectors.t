#!/bin/sh
# Calls from gdb leave the vector registers of the C library alone. Versions of gdb before 14 do not put all of them
# back on processors of AMD with AVX-512, so that a search would go on for another byte.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

cat >search.c <<'END'
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char bytes[1 << 20];

int main(void)
{
	void *(*volatile search)(const void *, int, size_t) = memchr;
	unsigned long searches = 0, wrong = 0;

	memset(bytes, 'x', sizeof(bytes));
	for (size_t i = 5; i < sizeof(bytes); i += 16)
		bytes[i] = '\0';
	while (access("stop", F_OK) != 0)
		for (int i = 0; i < 1000; i++, searches++)
			wrong += search(bytes, 'y', sizeof(bytes)) != NULL;
	printf("%s %lu\n", searches > 0 ? "wrong:" : "no searches:", wrong);
	return 0;
}
END
cc -O1 -g -o search search.c
./search >out &
program=$!

for i in 1 2 3; do
	debug "-p $program" 'collector archive off' "collector store experiment s.$i.er" 'collector enable'
	debug "-p $program" 'collector sample record here'
	debug "-p $program" 'collector pause' 'collector status' 'collector resume'
	debug "-p $program" 'collector disable'
done >said
touch stop
wait $program
is "$(cat out)" 'wrong: 0' 'what the program looks for stays the same'
is "$(labels s.3.er | grep -c here)" 1 'and it is recorded'
done_testing
