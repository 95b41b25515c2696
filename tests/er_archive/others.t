#!/bin/sh
# Experiments of another user: files that the owner could not have read are not put into them, nor reported,
# and a copy or description has no readers that its original does not have.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

several_users "other users' experiments"
HOME=$PWD/nowhere
export HOME
top=$PWD

# says COMMAND...: print its status, and its messages with short names.
says() {
	"$@" >says.out 2>&1
	echo "$? $(sed "s|$top/||g" says.out)"
}
# theirs NAME...: give an experiment, or files, to the attacker.
theirs() {
	chown -R -h 65534:65534 "$@"
}
# facts FILE...: owner and mode of each.
facts() {
	stat -c '%u %a' "$@" | tr '\n' ' '
}
described() {
	echo "$(stored "$1" "$2").archive"
}
# archived EXPERIMENT: list the base names of its copies.
archived() {
	find "$1/archives" ! -type d ! -name manifest ! -name '*.archive' 2>/dev/null |
		sed 's|.*/||;s/_[0-9a-zA-Z_-]\{11\}$//' | sort | tr '\n' ' '
}
descriptions() {
	find "$1/archives" -name '*.archive' 2>/dev/null | wc -l
}

mkdir home public shared
mkdir -m 700 private
theirs home
library public/public.so 1
library public/owner.so 2
chmod 700 public/owner.so
library public/executable.so 3
chmod 711 public/executable.so
library private/private.so 4
library home/own.so 5
chmod 700 home/own.so
mkdir -m 700 home/deep
library home/deep/deep.so 6
theirs home/*
cannot='the owner of the experiment cannot read it'

# ---- load objects ----

experiment home/objects.er
printf '<event kind="run" tstamp="5.000000000" time="%s"/>\n' "$(date +%s)" >home/objects.er/log.xml
for object in public/public.so public/owner.so public/executable.so private/private.so \
	private/none.so home/own.so home/deep/deep.so; do
	segment home/objects.er "$PWD/$object"
done
theirs home/objects.er
for mode in on copy; do
	is "$(says er_archive -a $mode home/objects.er)" "1 er_archive: missing 'public/owner.so': $cannot
er_archive: missing 'public/executable.so': $cannot
er_archive: missing 'private/private.so': $cannot
er_archive: missing 'private/none.so': $cannot" \
		"root archives the files that the owner can read (-a $mode), and does not mention the rest"
done
is "$(archived home/objects.er)$(descriptions home/objects.er)" 'deep.so own.so public.so 3' \
	'neither copies nor descriptions are made of the rest'
is "$(find home/objects.er ! -user 65534 | wc -l)" 0 'all new files belong to the owner'
is "$(facts "$(stored home/objects.er public.so)" "$(stored home/objects.er own.so)" \
	"$(stored home/objects.er deep.so)")" '65534 755 65534 700 65534 700 ' \
	'files that only the owner can read stay private'
is "$(facts "$(described home/objects.er public.so)" "$(described home/objects.er own.so)" \
	"$(described home/objects.er deep.so)")" '65534 644 65534 600 65534 600 ' \
	'and so are descriptions'
is "$(grep -c '^unreadable [^ ]* - - - - - - - - ' home/objects.er/archives/manifest)" 4 \
	'the manifest has neither size nor time of files the owner cannot read'
is "$(says as_user er_archive home/objects.er | sed "s/Permission denied/$cannot/")" \
	"$(says er_archive home/objects.er)" 'the owner gets the same result'
is "$(says er_archive -v home/objects.er | grep -c '^present\|^[0-9]* present')" 3 'nothing is done again'
is "$(says er_archive -F home/objects.er | grep -c "$cannot")-$(archived home/objects.er)$(
	find home/objects.er ! -user 65534 | wc -l)" '4-deep.so own.so public.so 0' 'nor by -F'
is "$(says er_archive --check home/objects.er | grep -c "$cannot")" 4 '--check says the same'

# Root may still write to an old archives/ that belongs to root.
rm -r home/objects.er/archives
mkdir home/objects.er/archives
is "$(says er_archive -q home/objects.er | wc -l)-$(archived home/objects.er)" \
	'4-deep.so own.so public.so ' "where archives/ is root's it is filled"
is "$(facts "$(stored home/objects.er public.so)" "$(stored home/objects.er own.so)" \
	"$(described home/objects.er own.so)")" '0 755 0 700 0 600 ' 'with files of root'
is "$(says er_archive -q -F home/objects.er | wc -l)-$(archived home/objects.er)$(
	find home/objects.er -name '*.part' | wc -l)" '4-deep.so own.so public.so 0' 'also when renewed'

# A store belongs to root, too, and has only what is for everyone.
rm -r home/objects.er/archives
er_archive -d store home/objects.er >out 2>&1
is "$(find store -type f | wc -l) $(find home/objects.er/archives -type l | wc -l)" '1 1' \
	'only files that everyone can read go into a store'
is "$(facts "$(stored home/objects.er own.so)")" '65534 700 ' 'the rest is copied'
check 'and the store is complete' as_user cmp public/public.so "$(stored home/objects.er public.so)"

# ---- source files ----

echo 'secret' >public/secret.c
chmod 600 public/secret.c
echo 'secret' >private/secret.c
echo 'int header;' >public/header.h
echo 'int own;' >home/own.c
chmod 600 home/own.c
touch -d '2 hours ago' public/*.[ch] private/*.c home/own.c
theirs home/own.c
# code NAME: make an experiment that began an hour ago with home/NAME.so.
code() {
	rm -rf "$1"
	experiment "$1"
	printf '<event kind="run" tstamp="5.000000000" time="%s"/>\n' \
		$(($(date +%s) - 3600)) >"$1/log.xml"
	segment "$1" "$2" "$(identity "$2")"
}
names home/evil.so "$PWD/public/secret.c" "$PWD/private/secret.c" "$PWD/public/header.h" \
	"$PWD/home/own.c"
code home/code.er "$PWD/home/evil.so"
mkdir home/code.er/archives
theirs home/code.er home/evil.so
er_archive -q -a copy home/code.er
# A copy made by root in a directory of the attacker's may have become root's.
as_user mv "$(stored home/code.er evil.so)" home/evil.so
refused="1 er_archive: missing 'public/secret.c': $cannot
er_archive: missing 'private/secret.c': $cannot"
is "$(says er_archive -a src home/code.er)-$(archived home/code.er)" "$refused-evil.so header.h own.c " \
	'an object copied by root names no files that its owner cannot read'
chown 0:0 home/evil.so
rm -r home/code.er/archives
is "$(says er_archive -a src home/code.er)-$(archived home/code.er)" "$refused-evil.so header.h own.c " \
	"nor does one that is root's"
is "$(facts "$(stored home/code.er own.c)" "$(stored home/code.er header.h)")" '65534 600 65534 644 ' \
	'his own sources are archived as they are'
is "$(grep -c ' - - - - - - - - ' home/code.er/archives/manifest)" 2 'the others are not mentioned'

# Guessing a checksum reveals nothing.
for guess in "$(md5sum <public/secret.c | cut -d' ' -f1)" 0123456789abcdef0123456789abcdef; do
	names home/evil.so "$PWD/public/secret.c=$guess"
	code home/guess.er "$PWD/home/evil.so"
	theirs home/guess.er home/evil.so
	is "$(says er_archive -a src home/guess.er)-$(archived home/guess.er)" \
		"1 er_archive: missing 'public/secret.c': $cannot-evil.so " \
		"a checksum does not help to guess what is in a file ($guess)"
done

# In root's own experiment other users' objects can only name files that these users can read.
names home/evil.so "$PWD/public/secret.c" "$PWD/private/secret.c" "$PWD/public/header.h" \
	"$PWD/home/own.c"
somebody='its owner is not the owner of the load object that names it'
for owner in 65534 0; do
	chown $owner home/evil.so
	code roots.er "$PWD/home/evil.so"
	is "$(says er_archive -a src roots.er)-$(archived roots.er)" "1 er_archive: refused 'public/secret.c': $somebody
er_archive: refused 'private/secret.c': $somebody-evil.so header.h own.c " \
		"in an experiment of root's the directory of an object counts (owner $owner)"
done
cp home/evil.so shared/evil.so
code roots.er "$PWD/shared/evil.so"
is "$(says er_archive -a src roots.er)-$(archived roots.er)" '0 -evil.so header.h own.c secret.c secret.c ' \
	'an object of root names files that root can read'
is "$(find roots.er/archives -name 'secret.c_*' -printf '%m ')" '600 600 ' \
	'and no other user can read the copies'
chown 65534 shared
code roots.er "$PWD/shared/evil.so"
is "$(says er_archive -a src roots.er | grep -c "$somebody")" 2 \
	'but not where the directory is another user'\''s'
chown 0 shared
ln "$PWD/shared/evil.so" home/linked.so
code roots.er "$PWD/home/linked.so"
is "$(says er_archive -a src roots.er | grep -c "$somebody")" 2 'nor by a link in his directory'
rm home/linked.so

# A debug file in the archive may belong to any user, whoever owns the object.
cp shared/evil.so shared/stripped.so
strip shared/stripped.so
code planted.er "$PWD/shared/stripped.so"
mkdir planted.er/archives
objcopy --only-keep-debug shared/evil.so shared/stripped.so.debug
objcopy --add-gnu-debuglink=shared/stripped.so.debug shared/stripped.so
er_archive -q planted.er
rm shared/stripped.so.debug
is "$(says er_archive -a src planted.er)-$(archived planted.er | tr ' ' '\n' | grep -c '\.[ch]$')" \
	"0 er_archive: warning: 'shared/stripped.so': 4 of 4 source files are missing, such as 'home/own.c'-0" \
	'an archived debug file names no sources'

# ---- readers ----

# readers FILE: print the modes of copy and description in an experiment of root's.
readers() {
	rm -rf readers.er
	experiment readers.er
	segment readers.er "$PWD/$1"
	er_archive -q readers.er
	stat -c %a "$(stored readers.er "$1")" "$(described readers.er "$1")" \
		readers.er/archives/manifest | tr '\n' ' '
}
is "$(readers public/public.so)" '755 644 644 ' 'files that everyone can read stay readable'
is "$(readers public/owner.so)" '700 600 600 ' "a description is its owner's as the object is"
is "$(readers public/executable.so)" '700 600 600 ' 'a file that can only be executed is described for its owner'
is "$(readers private/private.so)" '700 600 600 ' 'a directory keeps readers from a copy, too'
chmod 750 private
is "$(readers private/private.so)" '750 640 600 ' 'its group may read the copy if it has that group'
chgrp 1234 private
is "$(readers private/private.so)" '700 600 600 ' 'and not if that has another one'
chmod 705 private
is "$(readers private/private.so)" '700 600 600 ' 'a group that is kept out is not let in'
chgrp 0 private
chmod 700 private
ln -s ../private public/way
is "$(readers public/way/private.so)" '700 600 600 ' 'links lead to where it is'
cp -p public/public.so private
mkdir private/experiments
(cd private/experiments && experiment in.er && segment in.er "$top/private/private.so" && er_archive in.er)
is "$(facts "$(stored private/experiments/in.er private.so)" \
	"$(described private/experiments/in.er private.so)" private/experiments/in.er/archives/manifest)" \
	'0 755 0 644 0 644 ' 'a directory around both keeps readers from the copy as it did'
chgrp 1234 public/owner.so
chmod 750 public/owner.so
is "$(readers public/owner.so)" '700 600 600 ' 'another group does not become ours'
chgrp 0 public/owner.so
chmod 700 public/owner.so

# Users named by a default ACL are not in the group.
if python3 - 2>/dev/null <<'EOF'; then
import os
# user all, user 1234 read and execute, group read and execute, mask the same, others nothing
os.mkdir("acl")
os.setxattr("acl", "system.posix_acl_default", bytes.fromhex(
    "0200000001000700ffffffff02000500d204000004000500ffffffff10000500ffffffff20000000ffffffff"))
EOF
	chmod 750 public/owner.so
	experiment acl/acl.er
	segment acl/acl.er "$PWD/public/owner.so"
	er_archive -q acl/acl.er
	is "$(facts "$(stored acl/acl.er owner.so)" "$(described acl/acl.er owner.so)")" \
		'0 750 0 640 ' 'a group keeps its rights where there is a default ACL'
	chmod 755 acl acl/acl.er acl/acl.er/archives
	as_second cat "$(stored acl/acl.er owner.so)" >out 2>err
	is "$?" 1 'and users named in it get none'
	chmod 700 public/owner.so
else
	skip 'no ACLs here' 'default ACLs'
fi

# Debug files, and their contents in descriptions.
mkdir debug
echo 'int shown(void) { return 1; } static int hidden_name(void) { return shown() + 1; }
int (*pointer)(void) = hidden_name;' >debug.c
cc -g -shared -fPIC -Wl,--build-id -o debug/debug.so debug.c
objcopy --only-keep-debug debug/debug.so debug/debug.so.debug
strip debug/debug.so
objcopy --add-gnu-debuglink=debug/debug.so.debug debug/debug.so
is "$(readers debug/debug.so)$(stat -c %a "$(stored readers.er debug.so.debug)") $(
	grep -c hidden_name "$(described readers.er debug.so)")" '755 644 644 755 1' \
	'a description has the names of the debug file'
chmod 600 debug/debug.so.debug
is "$(readers debug/debug.so)$(stat -c %a "$(stored readers.er debug.so.debug)") $(
	grep -c hidden_name "$(described readers.er debug.so)")" '755 644 600 600 0' \
	'but none of one that fewer can read'

# Jars.
printf '\312\376\272\276class' >private/private.jar
experiment jar.er
segment jar.er "$PWD/private/private.jar"
er_archive -q jar.er
is "$(facts "$(stored jar.er private.jar)")" '0 600 ' 'a jar is copied for those who can read it'
cp -a jar.er home/jar.er
rm -r home/jar.er/archives
theirs home/jar.er
is "$(says er_archive home/jar.er)-$(archived home/jar.er)" \
	"1 er_archive: missing 'private/private.jar': $cannot-" 'and not at all for another user'

# Split debug data.
echo 'int split(void) { return 2; }' >private/split.c
(cd private && cc -g -gsplit-dwarf -c split.c && cc -shared -Wl,--build-id -o ../public/split.so split.o)
experiment split.er
segment split.er "$PWD/public/split.so"
er_archive -q split.er
dwo=$(find split.er/archives -name 'split*.dwo_*' -printf '%m ')
is "$(facts "$(stored split.er split.so)")$dwo" '0 755 600 ' 'so are files of split debug data'
rm -r split.er/archives
mv split.er home
theirs home/split.er
er_archive -q home/split.er >out 2>&1
is "$(archived home/split.er)" 'split.so ' 'which another user does not get'

# The description of an archived private file is as private as the copy.
rm -rf readers.er
experiment readers.er
segment readers.er "$PWD/private/private.so"
er_archive -q readers.er
rm readers.er/archives/manifest readers.er/archives/*.archive
er_archive -q readers.er
is "$(facts "$(described readers.er private.so)" readers.er/archives/manifest)" '0 600 0 600 ' \
	'the description of a private copy is private'
er_archive -q -d store readers.er
is "$(find readers.er/archives -type l | wc -l)" 0 'and it is in no store'

# ---- an ordinary user ----

mkdir -m 700 second
library second/second.so 8
chmod 755 second/second.so
echo 'secret' >second/secret.c
touch -d '2 hours ago' second/secret.c
names home/evil.so "$PWD/second/secret.c" "$PWD/public/header.h"
code home/open.er "$PWD/home/evil.so"
segment home/open.er "$PWD/second/second.so" "$(identity second/second.so)"
segment home/open.er "$PWD/public/public.so" "$(identity public/public.so)"
mkdir home/open.er/archives
theirs home/open.er home/evil.so
chown -R 1234:1234 second
chmod 777 home/open.er home/open.er/archives
is "$(says as_second er_archive -a src home/open.er)-$(archived home/open.er)" "1 er_archive: missing 'second/second.so': $cannot
er_archive: missing 'second/secret.c': $cannot-evil.so header.h public.so " \
	"files that only one user can read do not get into an experiment of another"
is "$(grep -c ' - - - - - - - - ' home/open.er/archives/manifest)" 2 'and it is not mentioned'
code seconds.er "$PWD/home/evil.so"
segment seconds.er "$PWD/second/second.so" "$(identity second/second.so)"
chown -R 1234:1234 seconds.er
is "$(says as_second er_archive -a src seconds.er)-$(archived seconds.er)" \
	"1 er_archive: refused 'second/secret.c': $somebody-evil.so header.h second.so " \
	'in their own experiment users have their files, but not those named by an object of another'
is "$(facts "$(stored seconds.er second.so)" "$(described seconds.er second.so)" seconds.er/archives/manifest)" \
	'1234 700 1234 600 1234 600 ' 'for himself'

# ---- other programs that archive ----

mkdir copies
er_cp -q -a copy home/objects.er copies/copy.er >out 2>&1
is "$(archived copies/copy.er)" 'deep.so own.so public.so ' 'er_cp takes no more'
is "$(find copies/copy.er ! -user 65534 | wc -l)" 0 "and it is the owner's"
done_testing
