#!/bin/sh
# A quarter of a minute of the attack that "make attack" runs for five minutes.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if [ "$(id -u)" != 0 ]; then
	skip 'several users need root' 'tools over a tree that others change'
	done_testing
fi
chmod 755 .. .
if ! setpriv --reuid=65534 --regid=65534 --clear-groups \
	test -x "$BUILD/tests/attack/programs/attacker" 2>/dev/null; then
	skip 'another user cannot run our programs here' 'tools over a tree that others change'
	done_testing
fi
"$TOP/tests/attack/run" 15 >report 2>&1
status=$?
note "$(cat report)"
ok $status 'nothing outside has changed, nothing private is readable, and every tool has ended'
done_testing
