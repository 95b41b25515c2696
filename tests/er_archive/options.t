#!/bin/sh
# The choice of files, dry runs, the place of warnings, and additions from the environment.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

library alpha.so 1
library beta.so 2
library gamma.so 3
experiment test.1.er
for name in alpha beta gamma; do
	segment test.1.er "$PWD/$name.so" "$(identity $name.so)"
done
cp -a test.1.er fresh.er
fresh() {
	rm -rf test.1.er
	cp -a fresh.er test.1.er
}
archived() {
	(cd test.1.er/archives 2>/dev/null && find . -type f ! -name manifest) |
		sed 's|^./||;s/_[0-9a-zA-Z_-]\{11\}//' | LC_ALL=C sort | tr '\n' ' '
}

# ---- -m ----
er_archive -v -m '/al' test.1.er >out 2>err
is "$? $(cat out err)" "0 copied $PWD/alpha.so" "-m archives the matching objects"
is "$(archived)" "alpha.so alpha.so.archive " "and nothing else"
fresh
er_archive -v -m '(^|/)beta\.so$' -m gamma test.1.er >out
is "$? $(cut -d' ' -f2 out | xargs -n1 basename | tr '\n' ' ')" "0 beta.so gamma.so " \
	"a match of one of several expressions is enough"
er_archive --check -m beta test.1.er
is $? 0 "--check looks at those only, too"
er_archive --check test.1.er 2>err
is "$? $(grep -c "missing '$PWD/alpha.so'" err)" "1 1" "and without -m at all"
rm gamma.so
fresh
er_archive -m alpha -m beta test.1.er 2>err
is "$? $(cat err)" "0 " "objects not asked for are not missing"
er_archive -F -m alpha test.1.er 2>err
is "$? $(cat err)" \
	"0 er_archive: warning: 'test.1.er': not archived again: only whole experiments can be" \
	"-F is ignored with -m"
is "$(archived)" "alpha.so alpha.so.archive beta.so beta.so.archive " "so that nothing is lost"
er_archive -m '(' test.1.er 2>err
is "$? $(sed 's/expression: .*/expression/;q' err)" \
	"2 er_archive: '(' is not a regular expression" "a bad expression is a wrong command line"
library gamma.so 3

# ---- --dry-run ----
fresh
rm beta.so
find test.1.er -exec ls -ld --time-style=full-iso {} + >before
er_archive --dry-run test.1.er >out 2>err
is $? 1 "--dry-run ends as archiving would"
is "$(cat out)" "copied $PWD/alpha.so
copied $PWD/gamma.so" "and tells what would be copied"
is "$(cat err)" "er_archive: missing '$PWD/beta.so'" "and what is missing"
er_archive --dry-run -a on test.1.er 2>/dev/null | cut -d' ' -f1 | uniq >out
is "$(cat out)" described "or described"
find test.1.er -exec ls -ld --time-style=full-iso {} + >after
check "but changes nothing" cmp before after
library beta.so 2
er_archive test.1.er
rm alpha.so
find test.1.er -exec ls -ld --time-style=full-iso {} + >before
er_archive --dry-run test.1.er >out
is "$? $(cut -d' ' -f1 out | uniq)" "0 present" "everything in a complete archive is present"
er_archive --dry-run -F test.1.er >out 2>err
is "$? $(cut -d' ' -f1 out | uniq -c | tr -s ' ')" "0  2 copied" "-F would copy it again"
is "$(cat err)" \
	"er_archive: warning: '$PWD/alpha.so': kept, because it cannot be archived again: the file is missing" \
	"and keep objects that are gone"
find test.1.er -exec ls -ld --time-style=full-iso {} + >after
check "which changes nothing either" cmp before after
er_archive --check --dry-run test.1.er 2>err
is "$? $(head -n 1 err)" "2 er_archive: option '--dry-run' cannot be combined with --check" \
	"one can only look or plan"

# ---- -q ----
er_archive -F -q test.1.er >out 2>err
is "$? $(cat out err)" "0 " "-q prints no warnings"
is "$(sed 's/^### Start .*/### Start/' test.1.er/archive.log)" "### Start
warning: '$PWD/alpha.so': kept, because it cannot be archived again: the file is missing" \
	"but keeps them in the archive log"
er_archive -q test.1.er
is "$(grep -c Start test.1.er/archive.log)" 1 "without warnings the log is left alone"
er_archive -F -q --outfile messages test.1.er
is "$(grep -c 'er_archive: warning' messages) $(grep -c Start test.1.er/archive.log)" "1 1" \
	"with --outfile they go there"
er_archive -F -q --outfile - test.1.er >out 2>err
is "$(wc -c <err) $(grep -c 'er_archive: warning' out) $(grep -c '^### Start' out)" "0 1 1" \
	"which may be the standard output"
er_archive -F -q --dry-run test.1.er >/dev/null 2>err
is "$(cat err) $(grep -c Start test.1.er/archive.log)" " 1" "a dry run keeps nothing"
rm messages
ln -s "$PWD/messages" fresh.er/archive.log
cp -a fresh.er link.er
er_archive -q -n -F link.er 2>err
is "$? $(find . -name messages | wc -l)" "1 0" "a link in place of the log is not followed"
rm fresh.er/archive.log

# ---- SP_ARCHIVE_ARGS ----
library alpha.so 1
fresh
SP_ARCHIVE_ARGS='-m alpha  -a on' er_archive -v --automatic test.1.er >out 2>err
is "$? $(cat out err)" "0 described $PWD/alpha.so" "an automatic run heeds SP_ARCHIVE_ARGS"
SP_ARCHIVE_ARGS='-m alpha -a on' er_archive -v --automatic -a copy -m beta test.1.er >out
is "$? $(cat out)" "0 copied $PWD/beta.so" "the command line beats it"
SP_ARCHIVE_ARGS='-m alpha' er_archive -v test.1.er >out
is "$? $(grep -c . out)" "0 3" "by hand it does not count"
for bad in '-x' '-a most' 'other.er' '-m (' '-a' '--check'; do
	fresh
	SP_ARCHIVE_ARGS=$bad er_archive -a on --automatic test.1.er >out 2>err
	is "$? $(grep -c "ignoring SP_ARCHIVE_ARGS: '" err) $(find test.1.er/archives -name '*.archive' | wc -l)" \
		"1 1 3" "SP_ARCHIVE_ARGS='$bad' is named and ignored"
done
cp "$BUILD/tests/er_archive/programs/spin" spin
SP_ARCHIVE_ARGS="-m /spin$" collect -p on -A copy -o auto.er ./spin 100 2>err
is "$? $(sed 1d auto.er/archives/manifest | cut -d' ' -f1,2)" "0 copied $PWD/spin" \
	"it applies at the end of a recording"
SP_ARCHIVE_ARGS='-y' collect -p on -A on -o bad.er ./spin 100 2>err
is "$? $(grep -c 'ignoring SP_ARCHIVE_ARGS' bad.er/archive.log)" "0 1" \
	"and errors in it go to the archive log"
collect -p on -A off -o first.er ./spin 100 2>err
SP_ARCHIVE_ARGS="-m /spin$" er_print -functions first.er >out 2>err
# An experiment that was not to be archived is not archived by er_print either.
is "$? $(find first.er/archives -type f | wc -l)" "0 0" "with -A off nothing is archived"
sed -i 's/No archive command/No Archive command/' first.er/log.xml
SP_ARCHIVE_ARGS="-m /spin$" er_print -functions first.er >out 2>err
is "$? $(sed 1d first.er/archives/manifest | cut -d' ' -f1,2)" "0 described $PWD/spin" \
	"and when er_print archives"
done_testing
