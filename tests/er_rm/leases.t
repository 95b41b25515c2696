#!/bin/sh
# A lease, which the owner of a file may take, keeps others from opening it for as long as 45 s. No tool waits
# for that: the file counts as unreadable.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

if [ "$(id -u)" != 0 ]; then
	skip 'several users need root' 'leases of others'
	done_testing
fi
user_directory home er_rm
make_experiment original.er
er_export -q -o original.tar original.er

# held NAME...: make files of another user, who has leases on them until descriptor 9 is closed. Ends the test
# on a file system without leases.
held() {
	rm -f pipe home/ready
	mkfifo pipe
	(cd home && as_user "$BUILD/tests/er_rm/programs/lease" ready "$@") <pipe &
	exec 9>pipe
	while [ ! -e home/ready ]; do
		if ! kill -0 $! 2>/dev/null; then
			skip 'this file system has no leases' 'leases of others'
			done_testing
		fi
		sleep 0.05
	done
}
let_go() {
	exec 9>&-
	wait
}

# ends COMMAND...: it fails soon, and not by a signal.
ends() {
	timeout -s KILL 10 "$@" >out 2>err
	is $? 1 "$*"
	grep -q 'temporarily unavailable' err
	is $? 0 "$1 says why"
}

cp -R original.er home/x.er
cp original.tar home/x.tar
chown -R 65534:65534 home/x.er home/x.tar
held x.er/log.xml x.er/data.frameinfo x.tar
ends er_print -header home/x.er
timeout -s KILL 10 er_archive -q home/x.er
is $? 0 'er_archive only needs the map'
ends er_cp home/x.er copy.er
ends er_export -q -o x.tar home/x.er
ends er_export --check home/x.tar
ends er_export -l home/x.tar
ends er_import home/x.tar
timeout -s KILL 10 er_rm home/x.er
is "$? $(ls home)" '0 ready
x.tar' 'unreadable files are removed'
let_go

# A fifo planted beside bundles has no writer. A user's own fifo is waited for.
(cd home && as_user mkfifo -m 644 planted.tar)
for command in 'er_export --check' 'er_export -l' er_import; do
	# shellcheck disable=SC2086
	timeout -s KILL 10 $command home/planted.tar 2>err
	is "$? $(cat err)" "1 ${command%% *}: cannot open 'home/planted.tar': Operation not permitted" \
		"$command of a planted fifo"
done
mkfifo own.tar
cat original.tar >own.tar &
timeout -s KILL 10 er_export --check own.tar
is $? 0 'a fifo of ours is read'
wait
rm home/planted.tar
mkdir in
# shellcheck disable=SC2002
as_user cat original.tar | timeout -s KILL 10 er_import -q -C in /dev/stdin
is "$? $(ls in)" '0 original.er' 'so is a pipe of another user that was given to us'

# A cleaner continues with the other experiments.
for name in x y; do
	cp -a original.er home/$name.er
	chown -R 65534:65534 home/$name.er
done
held x.er/log.xml
timeout -s KILL 10 er_rm -rq --older-than=1m home
is "$(find home -name y.er)" '' 'the experiments beside it are removed'
let_go
done_testing
