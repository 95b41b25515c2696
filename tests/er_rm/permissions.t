#!/bin/sh
# A user who may write in the directory around his own experiment may remove it, whatever its permissions.
# Other users' experiments are not touched.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

user_directory work er_rm
make_experiment original.er
cd work || exit 1
own() {
	rm -rf "$1"
	cp -a ../original.er "$1"
	[ "$(id -u)" = 0 ] && chown -R 65534:65534 "$1"
}

for mode in 0555 0000 0100 0200; do
	own a.er
	find a.er -depth -type d -exec chmod $mode {} +
	as_user er_rm a.er && [ ! -e a.er ] && [ -z "$(hidden .)" ]
	ok $? "directories of mode $mode do not keep it"
done

own a.er
touch a.er/thesis.tex
chmod 0 a.er
as_user er_rm a.er 2>/dev/null
is "$?-$(stat -c %a a.er)" 1-0 'a directory that is not an experiment is refused, and gets its mode back'
chmod 755 a.er
own a.er
touch a.er/_f1.er/thesis.tex
chmod 0 a.er/_f1.er a.er
as_user er_rm a.er 2>/dev/null
is "$?-$(stat -c %a a.er)" 1-0 'also if a descendant contains other files'
chmod 755 a.er
is "$(stat -c %a a.er/_f1.er)" 0 'whose mode comes back, too'
chmod 755 a.er/_f1.er

own a.er
chmod 555 .
as_user er_rm a.er 2>../err
is $? 1 'without the right to write around it nothing is removed'
grep -q "Permission denied" ../err
ok $? 'and the reason is printed'
chmod 755 .
check 'nothing is missing' same_tree ../original.er a.er

own a.er
as_user er_cp a.er b.er
check 'an ordinary user copies' same_tree a.er b.er
own a.er
chmod 0 a.er/_f1.er/overview
as_user er_cp a.er c.er 2>../err
# shellcheck disable=SC2012
is "$?-$(ls -A | tr '\n' ' ')" '1-a.er b.er ' 'an unreadable experiment leaves no copy'
grep -q "cannot open '_f1.er/overview': Permission denied" ../err
ok $? 'and is reported'

if [ "$(id -u)" = 0 ]; then
	cp -a ../original.er theirs.er
	chmod 700 theirs.er
	as_user er_rm theirs.er 2>/dev/null
	is $? 1 "another user's experiment that we cannot look into is refused"
	[ -f theirs.er/log.xml ] && [ "$(stat -c %a theirs.er)" = 700 ]
	ok $? 'and whole'
	er_cp b.er kept.er
	is "$(stat -c %u:%g kept.er/_f1.er/log.xml kept.er | uniq)" 65534:65534 'root keeps the owner'
else
	skip 'this needs root' 'other users'
fi

done_testing
