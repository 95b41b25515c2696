#!/bin/sh
# An ordinary user makes whole copies whatever his umask, and of whatever he can read.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

user_directory work er_cp
make_experiment work/a.er
cd work || exit 1
[ "$(id -u)" = 0 ] && chown -R 65534:65534 a.er

for mask in 0777 0700 0277 0022; do
	(umask $mask && as_user er_cp a.er copy.er)
	is $? 0 "er_cp works under umask $mask"
	check 'and its copy is equal' same_tree a.er copy.er
	(umask $mask && as_user er_cp -f --verify a.er copy.er)
	is $? 0 'it replaces and verifies'
	check 'with an equal copy' same_tree a.er copy.er
	rm -rf copy.er
done

find a.er -type d -exec chmod 0555 {} +
as_user er_cp a.er readonly.er
is $? 0 'directories that forbid writing are copied'
check 'as they are' same_tree a.er readonly.er
is "$(hidden .)" '' 'nothing hidden is left'
chmod -R u+w .
done_testing
