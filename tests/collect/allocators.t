#!/bin/sh
# shellcheck disable=SC2317 # by_... are called by name
# Programs with an allocator of their own, attached to while it holds its lock: the dynamic linker allocates as well.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# A block of 12345 bytes takes its time. Functions may be jumped to, so that malloc is not in the stack.
cat >allocator.c <<'END'
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char memory[64 << 20], *next = memory;
static volatile int lock;

__attribute__((noinline)) static void *take(size_t size)
{
	char *taken;

	while (__sync_lock_test_and_set(&lock, 1))
		usleep(100);
	if (size == 12345)
		nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
	taken = next + 16;
	*(size_t *)next = size;
	if (size != 12345)
		next += 16 + (size + 15) / 16 * 16;
	__sync_lock_release(&lock);
	return taken;
}

void *malloc(size_t size)
{
	return take(size);
}

void *_Znwm(size_t size)
{
	return take(size);
}

void *calloc(size_t count, size_t size)
{
	return memset(take(count * size), 0, count * size);
}

void free(void *block)
{
}

void *realloc(void *block, size_t size)
{
	size_t former = block ? ((size_t *)block)[-2] : 0;

	return memcpy(take(size), block ? block : "", former < size ? former : size);
}
END
cat >program.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *_Znwm(size_t size);

int main(int count, char **words)
{
	while (access("stop", F_OK) < 0)
		if (count > 1)
			_Znwm(12345);
		else
			malloc(12345);
	puts("right");
	return 4;
}
END
gcc -O2 -fno-builtin -shared -fPIC -o libownmalloc.so allocator.c
gcc -O1 -fno-builtin -o library program.c -L. -lownmalloc -Wl,-rpath,"$PWD"
gcc -O2 -fno-builtin -fno-optimize-sibling-calls -rdynamic -o whole program.c allocator.c

by_collect() {
	timeout -s KILL 30 collect -A off -o by.er -t 0.2 -P "$1" >log 2>&1
}
by_gdb() {
	unset DEBUGINFOD_URLS
	timeout -s KILL 60 collect --gdb -A off -H on -o by.er -t 0.2 -P "$1" >log 2>&1
}

ways=by_collect
command -v gdb >/dev/null && ways="$ways by_gdb"
for way in $ways; do
	for program in library whole; do
		for word in '' new; do
			rm -rf stop by.er
			"./$program" $word >out &
			process=$!
			until grep -q $program /proc/$process/comm; do sleep 0.01; done
			sleep 0.1 # it is hardly ever elsewhere
			$way $process
			status=$?
			touch stop
			[ $status = 0 ] || kill -KILL $process
			wait $process
			is "$status $? $(cat out)" '0 4 right' "$way: an allocator in the $program ${word:+behind operator new}" ||
				note "$(cat log)"
		done
	done
done
done_testing
