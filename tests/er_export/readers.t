#!/bin/sh
# A bundle, and what is unpacked from it, have no readers that the experiment does not have.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

umask 022
mkdir in
# carry EXPERIMENT [OPTION...]: into a bundle and out again; print the mode of the bundle.
carry() {
	carry_name=$1
	shift
	rm -rf bundle.tar.zst "in/${carry_name##*/}"
	er_export "$@" -o bundle.tar.zst "$carry_name" 2>said
	er_import -q -C in bundle.tar.zst
	stat -c %a bundle.tar.zst
}
mode() {
	stat -c %a "$@" | tr '\n' ' '
}
copy=archives/prog_UHyILZt997d

make_experiment model.er
rm model.er/archives/link_*
chmod 755 model.er/$copy
cp -a model.er a.er
is "$(carry a.er)-$(cat said)-$(mode in/a.er in/a.er/archives in/a.er/log.xml in/a.er/$copy)" \
	'644--755 755 644 755 ' 'files that everyone can read stay readable'
chmod 600 a.er/profile
chmod 700 a.er/$copy
is "$(carry a.er)-$(cat said)" "600-er_export: warning: 'bundle.tar.zst': not readable by everyone, because parts of 'a.er' are not" \
	'a bundle is for those who can read all of it'
is "$(mode in/a.er/profile in/a.er/$copy in/a.er/log.xml)" '600 700 644 ' 'and so is the imported experiment'
is "$(er_export --list bundle.tar.zst | sed -n 's|^\([^ ]*\) .* a.er/\([^/]*\)$|\1 \2|p' |
	grep 'log.xml\|profile' | tr '\n' ' ')" '-rw-r--r-- log.xml -rw------- profile ' \
	'members have the modes of files'
er_export -o - a.er >stream.tar.zst
is "$(mode stream.tar.zst)" '644 ' 'a stream gets the mode of its file'

rm -rf a.er
cp -a model.er a.er
chmod 700 a.er/archives
is "$(carry a.er) $(mode in/a.er/archives)" '600 700 ' 'a directory counts as well'
chmod 755 a.er/archives
chmod 700 a.er
is "$(carry a.er) $(mode in/a.er)" '600 700 ' 'and so does the experiment'
chmod 755 a.er
chmod 640 a.er/notes
is "$(carry a.er) $(mode in/a.er/notes)" '640 640 ' 'a group keeps its rights'
cp -a model.er b.er
er_export -q -f -o bundle.tar.zst a.er b.er
is "$(mode bundle.tar.zst)" '640 ' 'one of several experiments is enough'
(umask 077 && er_export -f -o bundle.tar.zst a.er) 2>said
is "$(mode bundle.tar.zst)$(cat said)" '600 ' 'modes that the umask restricts anyway are not reported'

# A file cannot be made without a name here, and ACLs cannot be read either.
if unshare -m sh -c 'mount -t tmpfs none /proc && er_export -q -f -o hidden.tar.zst a.er' 2>/dev/null; then
	is "$(mode hidden.tar.zst)$(hidden .)" '600 ' 'the same if the bundle has a name from the start'
else
	skip 'mounts cannot be changed here' 'bundles that have a name from the start'
fi

# User all, user 1234 read, group nothing, mask read, others nothing: r does not apply to the group.
chmod 600 a.er/notes
if python3 - 2>/dev/null <<'EOF'; then
import os
os.setxattr("a.er/notes", "system.posix_acl_access", bytes.fromhex(
    "0200000001000700ffffffff02000400d204000004000000ffffffff10000400ffffffff20000000ffffffff"))
EOF
	is "$(carry a.er) $(mode in/a.er/notes)" '600 700 ' 'the mask of an ACL does not become a right of the group' ||
		ls -l a.er in/a.er
	setfattr -x system.posix_acl_access a.er/notes 2>/dev/null
else
	skip 'no ACLs here' 'the mask of an ACL'
fi

# A user's own tarball.
rm -rf a.er in/a.er
cp -a model.er a.er
chmod 600 a.er/profile
chmod 700 a.er/archives
tar cf plain.tar a.er
er_import -q -C in plain.tar
is "$(mode in/a.er in/a.er/profile in/a.er/archives in/a.er/log.xml)" '755 600 700 644 ' \
	'no file of a tarball gets more readers'

# ---- other users ----

if [ "$(id -u)" != 0 ]; then
	skip 'this needs several users' "other users' experiments"
	done_testing
fi
chmod 755 .. .
HOME=$PWD/nowhere
export HOME
rm -rf a.er b.er
cp -a model.er a.er
chmod 640 a.er/notes
chgrp 1234 a.er/notes
is "$(carry a.er) $(mode in/a.er/notes)" '600 640 ' 'another group cannot read the bundle'

# Load objects added directly to the bundle.
mkdir home
mkdir -m 700 private
library private/private.so 1
library public.so 2
experiment home/theirs.er
for object in public.so private/private.so; do
	segment home/theirs.er "$PWD/$object"
done
cp -a home/theirs.er ours.er
chown -R 65534:65534 home
is "$(carry ours.er -a copy) $(mode "$(stored in/ours.er public.so)" "$(stored in/ours.er private.so)" \
	"$(stored in/ours.er public.so).archive" "$(stored in/ours.er private.so).archive" \
	in/ours.er/archives/manifest)" '600 755 700 644 600 600 ' 'private load objects stay private'
is "$(carry home/theirs.er -a copy) $(mode in/theirs.er/archives/*)" '644 644 755 644 ' \
	"and are not taken for another user"
is "$(sed "s|$PWD/||g" said)" "er_export: missing 'private/private.so': the owner of the experiment cannot read it" \
	'which is reported'

# A link to a store that only we can read.
mkdir -m 700 second
cp -a ours.er stored.er
er_archive -q -d second/store -m public.so stored.er
rm -rf home/theirs.er
cp -a stored.er home/theirs.er
chown -R -h 65534:65534 home
carry home/theirs.er -a off >out
is "$(sed "s|$PWD/||g" said)-$(find in/theirs.er/archives -name 'public.so_*' ! -name '*.archive')" \
	"er_export: missing 'archives/$(cd stored.er/archives && echo public.so_???????????)': it links to 'second/store/$(ls second/store)': Permission denied-" \
	"the targets of links in an experiment must be readable to its owner"
chown -R 1234:1234 second
chown 1234 .
as_second er_export -f -a off -o second.tar.zst home/theirs.er 2>said
is "$(sed "s|$PWD/||g" said | grep -c 'Permission denied')" 1 'the same for an ordinary user'
done_testing
