#!/bin/sh
# Links of a common archive stay what they are; where a relative one leads elsewhere, that is said.
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
is "$?-$(cat err)" 0- 'beside the original all links are as good'
check 'and the same' same_tree a.er b.er
er_cp a.er deep 2>err
is $? 1 'one level deeper a relative one leads nowhere'
is "$(cat err)" "er_cp: missing 'archives/libc.so_UHyILZt997d': its link '../../common/1234_libc.so' leads nowhere from the new place" 'and is named'
check 'the copy is there all the same' same_tree a.er deep/a.er
er_rm deep/a.er
mkdir deep/common
echo other >deep/common/1234_libc.so
er_mv a.er deep 2>err
is $? 1 'where a move makes it lead to another file'
grep -q "changed 'archives/libc.so_UHyILZt997d'" err
ok $? 'that is said'
check 'and the experiment is moved' same_tree b.er deep/a.er
er_rm deep/a.er b.er
is "$(cat common/1234_libc.so)" library 'removing leaves the common archive alone'

make_experiment c.er
ln -s ../dir c.er/jdynclasses/org/link
er_cp c.er d.er 2>/dev/null
[ "$?" = 1 ] && [ ! -e d.er ]
ok $? 'links elsewhere are refused'

done_testing
