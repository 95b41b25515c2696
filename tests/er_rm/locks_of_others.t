#!/bin/sh
# Any user who may read a directory can lock it. Such a lock prevents neither removal nor replacement.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

if [ "$(id -u)" != 0 ]; then
	skip 'several users need root' 'locks of others'
	done_testing
fi
user_directory home er_rm
mkdir runs
make_experiment original.er
chmod -R a+rX original.er

# hold KIND NAME: make another user hold a lock (flock -s or -x) on a file or directory.
holders=
hold() {
	setpriv --reuid=65534 --regid=65534 --clear-groups flock "$1" -F "$2" sleep 120 &
	holders="$holders $!"
	while flock -n "$2" true; do :; done
}
let_go() {
	# shellcheck disable=SC2086
	kill $holders
	wait
	holders=
}

for kind in -s -x; do
	cp -a original.er runs/x.er
	hold $kind runs
	er_rm -r runs 2>err
	is "$? $(cat err)$(find runs -mindepth 1)" '0 ' "er_rm $kind: a reader's lock on the directory"
	let_go
	cp -a original.er runs/x.er
	hold $kind runs/x.er
	er_rm -r runs 2>err
	is "$? $(cat err)$(find runs -mindepth 1)" '0 ' "er_rm $kind: on the experiment"
	let_go
	cp -a original.er runs/x.er
	hold $kind runs/x.er
	er_cp -f original.er runs/x.er 2>err
	is "$? $(cat err)" '0 ' "er_cp -f $kind: on the experiment that is replaced"
	let_go
	er_rm runs/x.er
done

# A file with the lock's name that does not belong to root.
cp -a original.er runs/x.er
chmod 777 runs
as_user sh -c 'umask 077; : >runs/.er_rm.0.lock'
hold -x runs/.er_rm.0.lock
er_rm -r runs 2>err
is "$? $(cat err)$(find runs -mindepth 1)" '0 runs/.er_rm.0.lock' 'nor does a lock of another user'
let_go
done_testing
