#!/bin/sh
# Links to a common archive lead to its files wherever the experiment goes.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

mkdir common deep
echo library >common/1234_libc.so
make_experiment a.er
ln -s ../../common/1234_libc.so a.er/archives/libc.so_UHyILZt997d
ln -s "$PWD/common/1234_libc.so" a.er/archives/libm.so_UHyILZt997d
ln -s ../../common/nothing a.er/archives/libx.so_UHyILZt997d

er_cp a.er b.er 2>err
is "$?-$(cat err)" 0- 'beside the original all links work'
check 'and the same' same_tree a.er b.er
er_cp a.er deep 2>err
is "$?-$(cat err)" 0- 'one level deeper as well'
is "$(readlink deep/a.er/archives/libc.so_UHyILZt997d)" ../../../common/1234_libc.so \
	'as a relative one has another way then'
is "$(stat -c %.9Y deep/a.er/archives deep/a.er/archives/libc.so_UHyILZt997d)" \
	"$(stat -c %.9Y a.er/archives a.er/archives/libc.so_UHyILZt997d)" 'with the times of the original'
is "$(readlink deep/a.er/archives/libm.so_UHyILZt997d)" "$PWD/common/1234_libc.so" \
	'and absolute ones stay'
er_rm deep/a.er
mkdir deep/common
echo other >deep/common/1234_libc.so
er_mv a.er deep 2>err
is "$?-$(cat err)" 0- 'a move that would lead a link to another file succeeds'
is "$(cat deep/a.er/archives/libc.so_UHyILZt997d)" library 'the link still leads to its own'
is "$(readlink deep/a.er/archives/libc.so_UHyILZt997d)" ../../../common/1234_libc.so \
	'by its new path'
er_mv deep/a.er . 2>err
check 'and after a move back everything is as before' same_tree b.er a.er
er_rm b.er

# The store was moved along: its files are found by name.
mkdir store moved
echo object >store/0123456789abcdef0123456789abcdef
make_experiment s.er
ln -s ../../store/0123456789abcdef0123456789abcdef s.er/archives/x.so_UHyILZt997d
cp -a store moved/
er_cp s.er moved 2>err
is "$?-$(readlink moved/s.er/archives/x.so_UHyILZt997d)" \
	"0-../../store/0123456789abcdef0123456789abcdef" 'a store that was copied is used'
er_mv s.er deep
is "$?-$(readlink deep/s.er/archives/x.so_UHyILZt997d)" \
	"0-../../../store/0123456789abcdef0123456789abcdef" 'and otherwise the one there is'

# A read-only directory.
if [ "$(id -u)" != 0 ]; then
	chmod a-w deep/s.er/archives
	er_mv deep/s.er . 2>err
	is "$? $(grep -c 'leads nowhere' err)" "1 1" 'links that cannot be fixed are reported'
	chmod u+w s.er/archives
else
	skip "root may write anywhere" 'links that cannot be fixed are reported'
fi

# A move to another file system, interrupted before the source was removed.
if [ "$(stat -c %d .)" != "$(stat -c %d "${XDG_RUNTIME_DIR:-/dev/shm}")" ] &&
	other=$(mktemp -d "${XDG_RUNTIME_DIR:-/dev/shm}/erkit-links.XXXXXX"); then
	er_cp a.er "$other" 2>err
	is "$(cat "$other/a.er/archives/libc.so_UHyILZt997d")" library 'links lead to other file systems'
	er_mv a.er "$other" 2>err
	is "$? $(grep -c 'finishing an interrupted move' err)" "0 1" \
		'and do not keep an interrupted move from being finished'
	rm -rf "$other"
else
	skip "there is no other file system" 'links lead to other file systems'
fi
er_rm ./*.er deep/*.er 2>/dev/null
is "$(cat common/1234_libc.so)" library 'removing leaves the common archive alone'

make_experiment c.er
ln -s ../dir c.er/jdynclasses/org/link
er_cp c.er d.er 2>/dev/null
[ "$?" = 1 ] && [ ! -e d.er ]
ok $? 'links elsewhere are refused'

done_testing
