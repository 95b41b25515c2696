#!/bin/sh
# Programs that look for the auxiliary vector after the environment, as Go's run-time does, find it, or
# an empty one: then they read it from /proc. What lies there when the collector has hidden its variables
# must be neither.
. "$TOP/tests/lib/tap.sh"

cat >vector.c <<'END'
#include <elf.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char **at = argv + argc + 1;
	while (*at)
		at++;
	const Elf64_auxv_t *vector = (const void *)(at + 1), *first = vector;
	while (vector->a_type != AT_NULL && vector->a_type != AT_PAGESZ)
		vector++;
	if (vector->a_type == AT_PAGESZ)
		puts(vector->a_un.a_val == (unsigned long)sysconf(_SC_PAGESIZE) ? "found" : "wrong");
	else
		puts(vector == first ? "empty" : "lost");
	return 0;
}
END
cc -o vector vector.c

# The number of hidden variables is even or odd: with a library of its own to preload one stays.
cc -shared -o own.so -x c /dev/null
is "$(./vector)" found "alone"
for own in '' "$PWD/own.so"; do
	found=$(ASAN_OPTIONS=verify_asan_link_order=0 LD_PRELOAD=$own collect -A off -o recorded.er ./vector 2>/dev/null)
	[ "$found" = found ] || [ "$found" = empty ]
	ok $? "recorded${own:+, with a library to preload}: $found"
	rm -r recorded.er
done

if command -v go >/dev/null; then
	mkdir go
	cat >go/size.go <<-'END'
		package main

		import "C"
		import "os"

		func main() { println(os.Getpagesize(), len(os.Environ())) }
	END
	export GOCACHE="$PWD/cache" GO111MODULE=off
	if (cd go && go build -o size size.go) 2>/dev/null; then
		go/size 2>alone
		collect -A off -o go.er go/size 2>recorded
		is "$(tail -n 1 recorded)" "$(cat alone)" "a Go program that is linked with libc"
	else
		skip "go cannot link with libc here" "a Go program"
	fi
else
	skip "go is not installed" "a Go program"
fi

done_testing
