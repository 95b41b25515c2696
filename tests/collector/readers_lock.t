#!/bin/sh
# Locks held by users who may only read the log do not delay the end of a recording.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

if [ "$(id -u)" != 0 ]; then
	skip "not root" "readers of other users"
	done_testing
fi
chmod 755 .. .
mkdir theirs && chown 65534:65534 theirs
cat >lock.c <<'END_OF_C'
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
	struct flock lock = { .l_type = F_RDLCK };
	int log = open("recorded.er/log.xml", O_RDONLY);

	if (fcntl(log, F_SETLK, &lock) < 0)
		return 1;
	close(open("theirs/locked", O_WRONLY | O_CREAT, 0644));
	return (int)sleep(60);
}
END_OF_C
cc -o lock lock.c
record recorded.er 'p:10007;a:off;' sh -c ': >started; while [ ! -e go ]; do sleep .05; done' &
recording=$!
until [ -e started ]; do sleep .05; done
setpriv --reuid=65534 --regid=65534 --clear-groups ./lock &
locker=$!
for _ in $(seq 100); do
	[ -e theirs/locked ] && break
	sleep .05
done
check "a reader has locked the log" test -e theirs/locked
# A recording gives up waiting after five seconds.
begin=$(date +%s%N)
: >go
wait $recording
took=$((($(date +%s%N) - begin) / 1000000))
[ $took -lt 4500 ]
ok $? "and does not delay the end: $took ms"
kill $locker
done_testing
