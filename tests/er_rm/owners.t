#!/bin/sh
# Limits apply to each owner separately: one user's recordings, or claims, do not remove another user's
# experiments.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

if [ "$(id -u)" != 0 ]; then
	skip 'several users need root' 'owners'
	done_testing
fi

# make OWNER PATH KIB [END]: make an experiment of that size, which ended at a date.
make() {
	mkdir -p "$2"
	cat >"$2/log.xml" <<-END
		<experiment version="12.4"><process pid="7"/>
		<event kind="run" tstamp="0.5" time="$(date -d "${4:-2024-01-01}" +%s)"/>
		<event kind="exit" tstamp="1.0"/></experiment>
	END
	head -c "$3k" /dev/urandom >"$2/profile"
	chown -R "$1:$1" "$2"
}
left() {
	(cd runs && find . -name '*.er' -prune -printf '%P\n') | LC_ALL=C sort | tr '\n' ' '
}
make_runs() {
	rm -rf runs
	mkdir runs
	chmod 777 runs
	make 1001 runs/victim.1.er 300 2024-01-01
	make 1001 runs/victim.2.er 300 2024-02-01
}

make_runs
make 65534 runs/new.1.er 900 2025-01-01
make 65534 runs/new.2.er 900 2025-01-02
er_rm -r --max-total=1M runs 2>err
is "$? $(cat err)$(left)" '0 new.2.er victim.1.er victim.2.er ' \
	'a user with too much loses the oldest experiments'
make_runs
make 65534 runs/new.1.er 900 2025-01-01
er_rm -r --all-owners --max-total=1M runs 2>err
is "$? $(cat err)$(left)" '0 new.1.er ' 'unless root wants one limit for all'

# One file under many names counts once.
make_runs
make 65534 runs/a.er 200 2025-01-01
i=0
while [ $i -lt 200 ]; do
	mkdir -p runs/a.er/archives
	ln runs/a.er/profile runs/a.er/archives/link$i
	i=$((i + 1))
done
for i in 1 2 3 4 5 6 7 8 9; do
	cp -al runs/a.er runs/b.$i.er
done
chown -R 65534 runs/*.er
chown -R 1001 runs/victim.*.er
er_rm -r --max-total=1M runs 2>err
is "$? $(cat err)$(left)" \
	'0 a.er b.1.er b.2.er b.3.er b.4.er b.5.er b.6.er b.7.er b.8.er b.9.er victim.1.er victim.2.er ' \
	'links count once'
er_rm -r --all-owners --max-total=2M runs 2>err
is "$? $(cat err)$(left)" \
	'0 a.er b.1.er b.2.er b.3.er b.4.er b.5.er b.6.er b.7.er b.8.er b.9.er victim.1.er victim.2.er ' \
	'also with one limit for all'
er_rm -nv runs/a.er >out
size=$(sed -n 's/.*(202 files, \([0-9]*\) bytes.*/\1/p' out)
[ "$size" -ge 204800 ] && [ "$size" -lt 409600 ]
ok $? "a file with 201 names takes the room of one ($size bytes)"

# An end in the far future.
make_runs
make 65534 runs/victim.3.er 10 2100-01-01
make 65534 runs/victim.4.er 10 2100-01-02
er_rm -r --keep=2 runs 2>err
is "$? $(left)" '0 victim.1.er victim.2.er victim.3.er victim.4.er ' 'the newest of each owner stay'
is "$(sort err)" "er_rm: warning: 'runs/victim.3.er' ends in the future: treated as ended now
er_rm: warning: 'runs/victim.4.er' ends in the future: treated as ended now" \
	'and an end in the future is reported'
er_rm -rq --keep=2 --all-owners runs 2>err
is "$? $(cat err)$(left)" '0 victim.3.er victim.4.er ' 'unless root wants one limit for all'
make_runs
make 65534 runs/late.er 10 2024-03-01
touch -d 2100-01-01 runs/late.er/* runs/late.er
sed -i 's/kind="exit"/kind="none"/' runs/late.er/log.xml
chown -R 65534 runs/late.er
touch -d 2100-01-01 runs/late.er/*
er_rm -rq --older-than=1d runs
is "$? $(left)" '0 late.er ' 'an end in the future is not old'
er_rm -rf --newer-than=1m -n runs >out 2>err
grep -q "'runs/late.er' ends in the future" err && grep -q "'runs/late.er' .* 0 seconds old" out
ok $? 'it counts as now'

# Room on the disk: the user with the most data loses experiments.
if mount -t tmpfs -o size=8M none runs 2>/dev/null; then
	chmod 777 runs
	make 1001 runs/victim.1.er 300 2023-01-01
	for i in 1 2 3 4; do
		make 65534 runs/new.$i.er 1500 2025-01-0$i
	done
	er_rm -r --min-free=4M runs 2>err
	is "$? $(cat err)$(left)" '0 new.3.er new.4.er victim.1.er ' \
		'the user with the most data loses experiments'
	er_rm -r --min-free=5000k --all-owners runs 2>err
	is "$? $(cat err)$(left)" '0 new.3.er new.4.er ' 'or from the oldest, if root wants that'
	umount runs
else
	skip 'nothing can be mounted' 'free space'
fi
done_testing
