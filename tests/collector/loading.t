#!/bin/sh
# Objects loaded while the program runs are in the map, and are found where the program looks for them.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

mkdir own
cat >library.c <<'EOF'
#include <time.h>
volatile unsigned long spent;
void work_in_library(double seconds)
{
	struct timespec start, now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do {
		for (int i = 0; i < 1000; i++)
			spent += i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) / 1e9 < seconds);
}
#ifdef SECONDS
__attribute__((constructor)) static void prepare(void)
{
	work_in_library(SECONDS);
}
#endif
EOF
if ! ${CC:-cc} -O2 -shared -fPIC -o own/libextra.so library.c 2>/dev/null ||
	! ${CC:-cc} -O2 -DSECONDS=.2 -shared -fPIC -o own/libready.so library.c ||
	! ${CC:-cc} -O2 -I"$TOP/tests/collector/programs" -Wl,-rpath,"\$ORIGIN/own" -pthread \
		-o loading "$TOP/tests/collector/programs/loading.c" 2>/dev/null; then
	skip "no compiler" "loading"
	done_testing
fi

as_alone by_name ./loading by_name libextra.so
has_seconds .1 by_name
gp-display-text -functions recorded.er >functions.txt 2>&1
check "by_name: the library's function has its time" \
	grep -Eq '^ *[0-9.]+ +[0-9.]+ +0\.(0[5-9]|1).* work_in_library$' functions.txt
check "by_name: the map knows it" grep -aq 'name="[^"]*/own/libextra.so"' recorded.er/map.xml
check "by_name: and knows that it was unloaded" grep -aq 'kind="unmap"' recorded.er/map.xml
check "by_name: with its identity" grep -aq 'fsize="[0-9]*" mtime="[0-9.]*" name="[^"]*/libextra.so"' \
	recorded.er/map.xml

# Its code is the first few bytes of a page.
${CC:-cc} -O2 -shared -fPIC -nostdlib -Wl,--build-id -o own/libsmall.so -x c - <<'EOF'
int small(void)
{
	return 1;
}
EOF
as_alone small ./loading keep own/libsmall.so
check "small: the map has its build-id" grep -aq \
	"buildid=\"$(readelf -n own/libsmall.so | sed -n 's/^ *Build ID: //p')\".*/own/libsmall.so\"" \
	recorded.er/map.xml

as_alone "by_name in \$ORIGIN" ./loading by_name "\$ORIGIN/own/libextra.so"
as_alone storm ./loading storm libextra.so
check "storm: the reader opens it" gp-display-text -functions recorded.er
has_seconds .4 storm
er_export --text --only profile --format json recorded.er | python3 -c '
import json, sys
for line in sys.stdin:
    stack = json.loads(line).get("stack", [])
    if (stack and stack[0]["object"] == "<libcollector.so>"
            and not stack[0]["function"].startswith("not_sampled")):
        print(stack)
' >ours
check "storm: the collector does not sample itself" diff /dev/null ours


parameters='p:250;a:off;'
as_alone "storm at 4 kHz" ./loading storm libextra.so
check "storm at 4 kHz: the reader has no complaint" is_clean recorded.er
has_seconds .4 "storm at 4 kHz"
parameters='p:1000;a:off;'

as_alone constructor ./loading by_name libready.so
has_seconds .3 constructor
share=$(share _start)
check "constructor: its stacks reach the start ($share %)" [ "$share" -ge 99 ]

# A module that libc loads itself, bypassing dlopen: it converts characters.
as_alone conversion ./loading conversion .3
has_seconds .25 conversion
share=$(share gconv)
check "conversion: the module's time is named ($share %)" [ "$share" -ge 30 ]
share=$(share _start)
check "conversion: its stacks reach the start ($share %)" [ "$share" -ge 99 ]

# A handler may not look up a function: its own thread may hold the loader's lock.
is "$(nm "$library" | grep -c ' libc_sched_getcpu')" 1 "sched_getcpu() is found once for all handlers"

done_testing
