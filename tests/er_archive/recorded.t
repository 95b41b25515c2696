#!/bin/sh
# An experiment of our own recorder, with identities: archived when it ends, and by hand.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

cp "$BUILD/tests/er_archive/programs/spin" spin
collect -p on -A off -o test.1.er ./spin 400 2>err
is "$? $(find test.1.er/archives -type f 2>/dev/null | wc -l)" "0 0" "recorded, not archived"
cp -a test.1.er rebuilt.er
er_archive -v test.1.er >out 2>err
is "$? $(cat err)" "0 " "everything can be archived"
is "$(grep -vc '^copied [^:]*$' out)" 0 "and all of it is verified"
is "$(sed 1d test.1.er/archives/manifest | cut -d' ' -f1 | grep -v debug | sort -u)" copied "as the manifest says"
check "the program is among it" cmp spin "$(stored test.1.er "$PWD/spin")"

er_print -functions test.1.er >before 2>err
is "$? $(grep -c long_work before)" "0 1" "er_print names its functions"
mv spin spin.away
er_print -functions test.1.er >after 2>err
is "$(cat after err)" "$(cat before)" "also without the program"
if command -v gp-display-text >/dev/null; then
	is "$(gp-display-text -functions test.1.er 2>&1 | grep -c long_work)" 1 \
		"so does gp-display-text"
else
	skip "gprofng is not installed" "so does gp-display-text"
fi
er_archive --check test.1.er
is $? 0 "the archive is complete without the program"

library spin 1
er_archive rebuilt.er 2>err
is "$? $(sed 's/: its .*//' err)" "1 er_archive: changed '$PWD/spin'" \
	"another program of its name is not archived"
mv spin.away spin

collect -p on -A copy -o auto.er ./spin 100 2>err
is "$? $(er_archive --check auto.er 2>&1)" "0 " "collect -A copy archives at the end"
collect -p on -A on -o described.er ./spin 400 2>err
er_archive -a on --check described.er
is "$? $(find described.er/archives -type f ! -name '*.archive' ! -name manifest | wc -l)" "0 0" \
	"collect -A on describes"

er_print -functions described.er >before 2>err
mv spin spin.away
er_print -functions described.er >after 2>err
is "$(cat after err)" "$(cat before)" "which is enough for the names, without the program"
is "$(grep -c long_work after)" 1 "of its functions"
mv spin.away spin

echo 'int main(void) { return 0; }' >old.c
cc -Wl,--build-id=none -o old old.c
for year in 1955 1970 2106 2300; do
	touch -d "$year-01-01 UTC" old
	collect -p on -A off -o old.er ./old 2>err
	rm -rf old.er/archives
	er_archive -m '/old$' old.er 2>err
	is "$? $(cat err)" "0 " "a program of $year without a build-id is the one that was recorded"
	rm -r old.er
done

er_archive -v --outfile messages test.1.er
er_archive -v --outfile messages none.er
is $? 1 "with --outfile the status is the same"
is "$(sed 's/^### Start .*/### Start/' messages | grep -v ^present)" "### Start
# er_archive -v --outfile messages test.1.er
### Start
# er_archive -v --outfile messages none.er
er_archive: cannot open 'none.er': No such file or directory" "and all messages go to the file"
is "$(grep -c ^present messages)" "$(grep -c . out)" "results as well"
done_testing
