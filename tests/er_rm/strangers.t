#!/bin/sh
# Another user's directory in an experiment cannot be emptied. All tools that remove experiments notice that
# before they have removed half of the rest.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

several_users 'files of others'
user_directory mine er_rm
mixed_experiments 12345

# refused MESSAGE COMMAND...
refused() {
	refused_said=$1
	shift
	refuses "$refused_said" as_user "$@"
}
why="directory '_f1.er' belongs to another user"
refused "er_rm: cannot remove 'mine/x.er': $why" er_rm mine/x.er
refused "er_rm: cannot remove 'mine/x.er': $why" er_rm -n mine/x.er
refused "er_rm: cannot remove 'mine/x.er': $why" er_rm -f mine/x.er
refused "er_rm: cannot remove 'mine/x.er': $why" er_rm -r --name='x*' mine
refused "er_cp: cannot replace 'mine/x.er': $why" er_cp -f mine/new.er mine/x.er
refused "er_cp: cannot replace 'mine/x.er': $why" er_cp -nf mine/new.er mine/x.er
refused "er_mv: cannot replace 'mine/x.er': $why" er_mv -f mine/new.er mine/x.er
if [ -d /dev/shm ] && [ "$(stat -c %d /dev/shm)" != "$(stat -c %d .)" ]; then
	target=/dev/shm/erkit-strangers.$$.er
	refused "er_mv: cannot remove 'mine/x.er': $why" er_mv mine/x.er $target
	refused "er_mv: cannot remove 'mine/x.er': $why" er_mv -n mine/x.er $target
	chmod 555 mine
	list_tree mine >before
	refused "er_mv: cannot remove 'mine/new.er': Permission denied" er_mv mine/new.er $target
	check 'nothing is copied' [ ! -e $target ]
	chmod 755 mine
	list_tree mine >before
fi
as_user er_export -q -a off -o mine/new.tar mine/new.er
tar -C mine -cf mine/x.tar x.er
list_tree mine >before
refused "er_import: 'mine/x.tar': cannot replace 'mine/x.er': $why" er_import -q -fC mine mine/x.tar

# Cases that can be removed: an empty directory, and one that every user may change.
chmod -R a+w mine/x.er/_f1.er
as_user er_cp mine/x.er mine/y.er
rm -r mine/y.er/_f1.er
mkdir mine/y.er/_f1.er
chown 12345 mine/y.er/_f1.er
as_user er_rm mine/x.er mine/y.er 2>err
is "$? $(cat err) $(ls -A mine)" '0  new.er
new.tar
x.tar' 'files that can be removed are removed'

# A sticky directory of another user, like /tmp.
mkdir sticky
chmod 1777 sticky
cp -a original.er sticky/x.er
chmod -R o+w sticky/x.er
cp -a mine/new.er sticky/y.er
list_tree sticky >before
as_user er_rm sticky/x.er 2>err
is "$? $(cat err)" "1 er_rm: cannot remove 'sticky/x.er': Permission denied" 'files of other users are kept'
as_user er_rm -n sticky/x.er 2>err
is "$? $(cat err)" "1 er_rm: cannot remove 'sticky/x.er': Permission denied" '-n knows'
is "$(list_tree sticky | diff before -)" '' 'and nothing is gone'
as_user er_rm sticky/y.er
is "$? $(ls -A sticky)" '0 x.er' 'our own files are removed'

# A directory shared by several users: a user who may rename an experiment need not be able to empty it.
mkdir shared
chmod 777 shared
cp -a original.er shared/x.er
list_tree shared >before
for run in '' -n; do
	(cd shared && as_user er_rm $run x.er) 2>err
	is "$? $(cat err)" "1 er_rm: cannot remove 'x.er': the directory belongs to another user" \
		"the experiment itself is meant${run:+ ($run)}"
done
is "$(list_tree shared | diff before -)" '' 'and nothing is gone'
done_testing
