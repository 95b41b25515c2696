#!/bin/sh
# Extended attributes and ACLs are the original's, and an ACL that cannot be kept does not turn into rights.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

# set_one NAME VALUE FILE, and all FILE...: values are hexadecimal. Not every system has setfacl.
set_one() {
	python3 -c 'import os, sys; os.setxattr(sys.argv[3], sys.argv[1], bytes.fromhex(sys.argv[2]))' "$@"
}
all() {
	python3 -c '
import os, sys
for file in sys.argv[1:]:
    names = sorted(n for n in os.listxattr(file) if n.startswith(("user.", "system.posix_acl")))
    print(*(n + "=" + os.getxattr(file, n).hex() for n in names), oct(os.stat(file).st_mode & 0o7777))
' "$@"
}

# User read and write, user 1234 read and write, group nothing, mask read and write, others nothing.
acl=0200000001000600ffffffff02000600d204000004000000ffffffff10000600ffffffff20000000ffffffff
experiment test.1.er
mkdir test.1.er/_f1.er
experiment test.1.er/_f1.er
: >test.1.er/notes
if ! set_one user.ticket 3432 test.1.er/notes 2>/dev/null ||
	! set_one system.posix_acl_access $acl test.1.er/notes 2>/dev/null; then
	skip 'no extended attributes or ACLs here' 'extended attributes'
	done_testing
fi
set_one user.top 31 test.1.er
set_one user.sub 32 test.1.er/_f1.er
set_one system.posix_acl_default $acl test.1.er/_f1.er
long=$(head -c 2000 /dev/zero | tr '\0' a | od -v -An -tx1 | tr -d ' \n')
set_one user.long "$long" test.1.er/log.xml
head -c 3000000 /dev/urandom >test.1.er/profile
set_one user.alone 33 test.1.er/profile
files='. _f1.er log.xml notes profile'

# of EXPERIMENT: print all attributes of it.
of() (
	# shellcheck disable=SC2086 # a list
	cd "$1" && all $files
)

er_cp -q test.1.er copy.er
is "$(of copy.er)" "$(of test.1.er)" 'a copy has the attributes and ACLs of the original'
er_cp -q --no-preserve test.1.er plain.er
is "$(all plain.er/notes | grep -c user)" 0 'or, without them, none'

mkdir shared
set_one system.posix_acl_default "$acl" shared
er_cp -q test.1.er shared/copy.er
is "$(of shared/copy.er)" "$(of test.1.er)" "a directory's default ACL gives nobody a right to the copy"

if [ "$(id -u)" = 0 ] && mkdir other && mount -t ramfs none other 2>/dev/null; then
	trap 'umount other' EXIT
	er_cp test.1.er other 2>err
	is "$?" 0 'a copy to a file system without ACLs succeeds'
	is "$(stat -c %a other/test.1.er/notes)" 600 'the mask is not given to the group'
	check 'and that is reported' grep -q 'does not support its ACLs or extended attributes' err
	umount other
	trap - EXIT
else
	skip 'no file system can be mounted here' 'a file system without ACLs'
fi
done_testing
