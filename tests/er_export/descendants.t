#!/bin/sh
# Descendants are read one after the other: what one says of a function of the kernel's is not what the next one says.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

cat >clocks.c <<END
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
	struct timespec now;
	clock_t end;

	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			for (end = clock() + CLOCKS_PER_SEC / 2; clock() < end;)
				for (int n = 0; n < 100000; n++)
					clock_gettime(CLOCK_MONOTONIC, &now);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
END
gcc -O1 -o clocks clocks.c
collect -A off -p hi -o test.er ./clocks >/dev/null 2>&1
er_export --text test.er >text
is "$? $(awk '/^#.*_f[0-9]*\.er"/ { n++ } /vdso/ && n > 0 { has[n] = 1 } END { print length(has) }' text)" "0 3" \
	"each descendant has its time in the vdso"
if command -v valgrind >/dev/null && ! nm "$BUILD/bin/er_export" | grep -q __asan_init; then
	valgrind -q --error-exitcode=9 er_export --text test.er >again 2>errors
	is "$? $(cmp text again)" "0 " "what is read of one is not used after it was closed" || note "$(grep Invalid errors)"
else
	skip 'valgrind is not installed, or is of no use here' 'what is read of one is not used after it was closed'
fi
done_testing
