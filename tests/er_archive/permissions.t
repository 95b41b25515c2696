#!/bin/sh
# Archives made by an ordinary user are usable afterwards, whatever the umask.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

user_directory work er_archive
cd work || exit 1
library alpha.so 1
experiment model.er
segment model.er "$PWD/alpha.so" "$(identity alpha.so)"
[ "$(id -u)" = 0 ] && chown -R 65534:65534 .

for mask in 0777 0700 0277 0022; do
	rm -rf a.er store
	cp -a model.er a.er
	(umask $mask && as_user er_archive a.er)
	is $? 0 "er_archive works under umask $mask"
	as_user er_archive --check a.er
	is $? 0 'and the archive is complete'
	(umask $mask && as_user er_archive -F a.er && as_user er_archive --check a.er)
	is $? 0 'renewing everything, too'
	cp -a model.er b.er
	(umask $mask && as_user er_archive -d "$PWD/store" b.er && as_user er_archive --check b.er)
	is $? 0 'and with a store'
	rm -rf b.er
done

# User all, user 1234 read and execute, group nothing, mask read and execute, others nothing: r-x does not
# apply to the group, although the mode shows it.
if python3 - 2>/dev/null <<'END'; then
import os
os.setxattr("alpha.so", "system.posix_acl_access", bytes.fromhex(
    "0200000001000700ffffffff02000500d204000004000000ffffffff10000500ffffffff20000000ffffffff"))
END
	rm -rf a.er
	cp -a model.er a.er
	er_archive -q a.er
	is "$(find a.er/archives -name 'alpha.so_*' ! -name '*.archive' -printf '%m ')" '700 ' \
		'the mask of an ACL does not become a right of the group'
else
	skip 'no ACLs here' 'the mask of an ACL'
fi
done_testing
