#!/bin/sh
# Followed processes in other mount namespaces, or below another root: their files are those that they have mapped, not
# those that have these names here.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
	skip 'it needs root and mount namespaces' 'processes in other namespaces'
	done_testing
fi

# Two programs of one name, with different frames: unwinding one by the other's tables fails.
cat >program.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static volatile unsigned long sink;
static __attribute__((noinline)) int inner(int depth)
{
	char room[ROOM];
	memset(room, depth, sizeof(room));
	if (depth > 0)
		return inner(depth - 1) + room[sink % ROOM];
	for (time_t end = time(NULL) + 600; time(NULL) < end;)
		for (int i = 0; i < 1000000; i++)
			sink += (unsigned long)i;
	return room[sink % ROOM];
}
int main(void)
{
	return inner(12);
}
END
mkdir place other
cc -O2 -g -fomit-frame-pointer -DROOM=40 -Wl,--build-id -o place/program program.c
cc -O2 -g -fomit-frame-pointer -DROOM=1000 -Wl,--build-id -o other/program program.c || done_testing
id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }
here=$(id_of place/program) there=$(id_of other/program)
[ "$here" != "$there" ] || note 'the programs do not differ'

# recorded EXPERIMENT PID: record it by its number
recorded() {
	er_kernel -A off -p hi -t 1 -F "=$2" -o "$1" 2>"$1.err"
}
# whole EXPERIMENT: the share of time at stacks that reach the root of the thread's stack
whole() {
	er_print -limit 100000 -metrics i.totalcpu:name -functions "$1"/_*.er 2>/dev/null | awk '
		$2 == "<Total>" { all = $1 }
		/<Truncated-stack>|<Stack-unwind-failed>/ { bad += $1 }
		END { printf "%d", (all > 0.2 ? 100 * (all - bad) / all : 0) }'
}
identity() {
	sed -n 's/.*object="segment".*/&/p' "$1"/_*.er/map.xml | grep "program" | sed 's/.*buildid="\([0-9a-fA-F]*\)".*/\1/' |
		tr A-F a-f | sort -u | xargs
}
named() {
	grep 'object="segment"' "$1"/_*.er/map.xml | sed -n 's/.*name="\([^"]*program[^"]*\)".*/\1/p' | sort -u
}

place/program &
pid=$!
recorded plain.er $pid
kill $pid
is "$(identity plain.er) $(named plain.er)" "$here $PWD/place/program" 'a process like any other'
check 'its stacks are whole' [ "$(whole plain.er)" -ge 99 ]

unshare -m sh -c 'mount --bind other place && exec place/program' &
pid=$!
for _ in $(seq 100); do
	[ "$(cat /proc/$pid/comm)" != program ] || break
	sleep 0.05
done
recorded mounted.er $pid
is "$(identity mounted.er)" "$there" 'another mount namespace: the file that it has mapped'
is "$(named mounted.er)" "$PWD/place/program (deleted)" 'nothing refers to the file that has its name here'
note "$(whole mounted.er) of 100"
check 'its stacks are whole' [ "$(whole mounted.er)" -ge 99 ]
kill $pid

# The same below another root
mkdir -p root"$PWD"/place
cc -O2 -g -fomit-frame-pointer -DROOM=200 -Wl,--build-id,--eh-frame-hdr -static -o root"$PWD"/place/program program.c
chroot root "$PWD/place/program" &
pid=$!
sleep 0.3
recorded below.er $pid
is "$(identity below.er) $(named below.er)" "$(id_of root"$PWD"/place/program) $PWD/root$PWD/place/program" 'another root: by its name here'
check 'its stacks are whole' [ "$(whole below.er)" -ge 99 ]
kill $pid

# An attacker has a file of root's, which he cannot read, at the name of what he has mapped.
mkdir secret
cp place/program secret/program
chmod 700 secret secret/program
chmod 755 .. . other other/program
cat >attack <<'END'
mount --bind other place && exec place/program
END
if command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups unshare -Urm true 2>/dev/null; then
	setpriv --reuid=65534 --regid=65534 --clear-groups unshare -Urm sh attack &
	pid=$!
	for _ in $(seq 100); do
		[ "$(cat /proc/$pid/comm)" != program ] || break
		sleep 0.05
	done
	mv place/program place/before && cp secret/program place/program && chmod 700 place/program
	recorded attacked.er $pid
	is "$(identity attacked.er) $(named attacked.er)" "$there $PWD/place/program (deleted)" \
		"another user's namespace: his file, not the one of root's that has its name"
	kill $pid
else
	skip 'no user namespaces' "another user's namespace"
fi
wait 2>/dev/null
done_testing
