#!/bin/sh
# Groups in directories that other users can write to, or only read. Only the group's own file is written to,
# and a lock held by a mere reader does not delay writers.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

user_directory theirs er_mv
mkdir ours
cd ours || exit

# refuses WHAT: collect does not write to a group of that kind, leaves no experiment, and says so.
refuses() {
	timeout -s KILL 20 collect -g g.erg -o a.er true >out 2>&1
	is "$? $(cat out)" "1 collect: 'g.erg' is not a regular file: not changed" \
		"a group that is $1 is refused"
	is "$(ls -d a.er 2>&1)" "ls: cannot access 'a.er': No such file or directory" 'and nothing recorded'
}

: >victim
as_user ln -s "$PWD/victim" ../theirs/g.erg
ln -s ../theirs/g.erg g.erg
refuses 'a link'
is "$(cat victim)" '' 'its target stays empty'
echo '#analyzer experiment group' >victim
refuses 'a link to a group'
is "$(cat victim)" '#analyzer experiment group' 'its target is unchanged'
rm g.erg
mkfifo g.erg
refuses 'a fifo'
rm g.erg
ln -s /dev/null g.erg
refuses 'a device'
rm g.erg

# ---- locks ----

echo '#analyzer experiment group' >g.erg
make_experiment old.er
echo old.er >>g.erg
chmod 644 g.erg
mkfifo in
for kind in open process; do
	as_user "$BUILD/tests/end_to_end/programs/hold_lock" g.erg $kind "../theirs/$kind" <in &
	holder=$!
	exec 9>in
	tries=0
	while [ ! -e ../theirs/$kind ] && [ $tries -lt 200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	check "a reader has locked the $kind file" test -e ../theirs/$kind
	timeout -s KILL 30 collect -g g.erg -o $kind.er true >out 2>&1
	is "$?" 0 "which does not delay collect" || note "$(cat out)"
	is "$(tail -n 1 g.erg)" $kind.er 'and adds its line'
	mkdir $kind
	timeout -s KILL 30 er_mv -q -g g.erg $kind >out 2>&1
	is "$? $(cat out)" '0 ' 'nor er_mv'
	exec 9>&-
	wait $holder
	er_mv -q -g $kind/g.erg . >out 2>&1
done

# Wait for a writer's lock: the line that the other writer adds is kept.
cat >write.py <<'END'
import fcntl, sys, time
file = open("g.erg", "r+")
fcntl.lockf(file, fcntl.LOCK_EX)
open("locked", "w").close()
time.sleep(2)
file.seek(0, 2)
file.write("theirs.er\n")
file.flush()
END
python3 write.py &
while [ ! -e locked ]; do sleep 0.05; done
collect -g g.erg -o last.er true >out 2>&1
wait
is "$(tail -n 2 g.erg | tr '\n' ' ')" 'theirs.er last.er ' 'a writer is waited for'
is "$(hidden .)" '' 'nothing is left'
done_testing
