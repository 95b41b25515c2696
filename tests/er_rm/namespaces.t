#!/bin/sh
# In a user namespace an ordinary user is root, but only over his own files: the tools do not begin what they
# cannot finish there, just as without the namespace.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

several_users 'files of others'
user_directory mine er_rm
HOME=$PWD
export HOME
# inside COMMAND...: run it as that user, who has become root in a namespace.
inside() {
	as_user unshare -Urm "$@"
}
if ! inside true 2>/dev/null; then
	skip 'no user namespaces' 'files of others'
	done_testing
fi
is "$(inside id -u)" 0 'the user is root in his namespace'

mixed_experiments 0
as_user er_export -q -a off -o mine/x.tar mine/new.er
list_tree mine >before

# refused MESSAGE COMMAND...
refused() {
	refused_said=$1
	shift
	refuses "$refused_said" inside "$@"
}
why="directory '_f1.er' belongs to another user"
refused "er_rm: cannot remove 'mine/x.er': $why" er_rm mine/x.er
refused "er_rm: cannot remove 'mine/x.er': $why" er_rm -n mine/x.er
refused "er_rm: cannot remove 'mine/x.er': $why" er_rm -r --name='x*' mine
refused "er_cp: cannot replace 'mine/x.er': $why" er_cp -f mine/new.er mine/x.er
refused "er_mv: cannot replace 'mine/x.er': $why" er_mv -f mine/new.er mine/x.er
mv mine/new.er new.er
mv mine/x.er mine/new.er
list_tree mine >before
refused "er_import: 'mine/x.tar': cannot replace 'mine/new.er': $why" er_import -q -fC mine mine/x.tar
mv mine/new.er mine/x.er
mv new.er mine/new.er

mkdir sticky
chmod 1777 sticky
cp -a original.er sticky/x.er
chmod -R o+w sticky/x.er
list_tree sticky >before
for option in '' -n; do
	# shellcheck disable=SC2086
	inside er_rm $option sticky/x.er 2>err
	is "$? $(cat err)" "1 er_rm: cannot remove 'sticky/x.er': Permission denied" \
		"er_rm $option: what is not ours stays in a sticky directory"
done
is "$(list_tree sticky | diff before -)" '' 'and nothing is gone'

# Readable files can be copied. Owners unknown to the namespace are not kept.
inside er_cp mine/x.er mine/copy.er 2>err
is "$? $(cat err)" '0 ' 'an experiment with files of others is copied'
is "$(find mine/copy.er ! -user 65534)" '' 'and the copy is ours'
same_tree mine/x.er mine/copy.er
ok $? 'with all its contents'
inside sh -c 'er_archive -q mine/copy.er && er_export -q -a off -o mine/copy.tar mine/copy.er && er_rm mine/copy.er &&
	er_import -q -C mine mine/copy.tar && er_mv mine/copy.er mine/moved.er && er_rm mine/moved.er' 2>err
is "$? $(cat err) $(hidden mine)" '0  ' 'all else is as outside'

# Mounts visible only to the user neither protect an experiment from root, nor lead root elsewhere.
inside sh -c 'mount --bind mine/new.er mine/x.er && er_rm mine/x.er' 2>err
is "$? $(cat err)" "1 er_rm: 'mine/x.er' is a mount point" 'he does not remove through a mount'
check 'and nothing is gone' test -e mine/new.er/log.xml -a -e mine/x.er/log.xml
setpriv --reuid=65534 --regid=65534 --clear-groups unshare -Urm \
	sh -c 'mount --bind mine/new.er mine/x.er && : >mine/ready && exec sleep 60' &
sleeper=$!
for _ in $(seq 100); do
	[ -e mine/ready ] && break
	sleep .05
done
er_rm mine/x.er
is "$? $(ls -d mine/*.er)" '0 mine/new.er' 'root removes what is there'
kill $sleeper
done_testing
