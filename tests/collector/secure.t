#!/bin/sh
# A set-user-id program that has our library all the same, because it is linked with it: the user who starts
# it must not decide what is written, or run, with its rights.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

if [ "$(id -u)" != 0 ]; then
	skip "not root" "set-user-id programs"
	done_testing
fi
chmod 755 .. .
cp "$BUILD"/lib/erkit/*.so "$BUILD/lib/erkit/erkit-sampler" . || exit
library=$PWD/libcollector.so
cat >linked.c <<'END_OF_C'
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>
int main(void)
{
	for (volatile long i = 0; i < 100000000; i++)
		;
	printf("secure %lu user %d\n", getauxval(AT_SECURE), (int)geteuid());
	return 0;
}
END_OF_C
cc -o linked linked.c -Wl,--no-as-needed "$library" -Wl,-rpath,"$PWD" || done_testing
mkdir roots theirs
chown 65534:65534 theirs
# The program that a recording starts at its end.
cat >theirs/archiver <<'END_OF_SH'
#!/bin/sh -p
id -u >"$PWD/theirs/who"
END_OF_SH
chmod 755 theirs/archiver

# start: run it as another user, with everything set that asks for a recording.
start() {
	as_user env SP_COLLECTOR_EXPNAME="$PWD/roots" SP_COLLECTOR_PRELOAD="$library" \
		SP_COLLECTOR_PARAMS="p:1000;S:1;F:3;a:on;P:$PWD/theirs/archiver;" "$@" 2>&1
}
chmod 777 roots
is "$(start ./linked)" 'secure 0 user 65534' 'without the bit'
check 'it is recorded' test -s roots/log.xml
is "$(cat theirs/who)" 65534 'and archived'

rm -rf roots theirs/who && mkdir roots
chmod 4755 linked
is "$(start ./linked)" 'secure 1 user 0' 'with the bit it runs as root'
is "$(ls -A roots)" '' 'nothing is written as root'
check 'and nothing is executed' test ! -e theirs/who

# The sampler does not gain rights either, in case it was installed set-user-id.
chmod 4755 erkit-sampler
sleep 60 &
sleeper=$!
start env SP_COLLECTOR_LINEAGE=_x1 timeout -s KILL 20 ./erkit-sampler $sleeper $sleeper /bin/sleep sleep 3>theirs/word >/dev/null
is "$? $(od -An -td4 theirs/word | tr -d ' ')" '2 ' 'a sampler with more rights than its caller does nothing'
kill $sleeper
is "$(ls -A roots)" '' 'and writes nothing'
done_testing
