#!/bin/sh
# Only the recorded file is archived. It is identified by build-id first, then by size and modification time,
# and if neither was recorded, by the time of the run.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

library a.so 1
experiment test.1.er
segment test.1.er "$PWD/a.so" "$(identity a.so)"
er_archive -v test.1.er >out 2>err
is $? 0 "an object with the recorded build-id is archived"
is "$(cat out)" "copied $PWD/a.so" "and verified"
check "as it is" cmp a.so "$(stored test.1.er "$PWD/a.so")"
is "$(stat -c %.9Y "$(stored test.1.er "$PWD/a.so")")" "$(stat -c %.9Y a.so)" "with its time"
is "$(stat -c %a "$(stored test.1.er "$PWD/a.so")")" "$(stat -c %a a.so)" "and its mode"
check "its description is an ELF file" readelf -hS "$(stored test.1.er "$PWD/a.so").archive"
is "$(build_id "$(stored test.1.er "$PWD/a.so").archive")" "$(build_id a.so)" \
	"the description has its build-id"
is "$(sed -n '2s/ .*//p' test.1.er/archives/manifest)" copied "the manifest says so"
is "$(er_archive -v test.1.er)" "present $PWD/a.so" "a second run has nothing to do"
is "$(er_archive test.1.er 2>&1)" "" "and prints nothing"

touch a.so
experiment touched.er
segment touched.er "$PWD/a.so" "buildid=\"$(build_id a.so)\" fsize=\"1\" mtime=\"1.000000000\""
er_archive touched.er
is $? 0 "an existing build-id alone decides"

cp -p a.so original.so
library a.so 2
er_archive -v test.1.er >out 2>err
is "$? $(cat out)" "0 present $PWD/a.so" "an archived copy stays when the object is rebuilt"
check "as it was" cmp original.so "$(stored test.1.er "$PWD/a.so")"
rm -r test.1.er/archives
old=$(build_id original.so)
er_archive -v test.1.er >out 2>err
is $? 1 "a rebuilt object is not archived"
is "$(cat out err)" \
	"er_archive: changed '$PWD/a.so': its build-id is $(build_id a.so), but $old was recorded" \
	"but named"
is "$(find test.1.er/archives -type f ! -name manifest | wc -l)" 0 "no part of it is stored"
is "$(sed -n '2s/ .*//p' test.1.er/archives/manifest)" changed "the manifest says so"
er_archive --check test.1.er 2>err
is "$? $(grep -c changed err)" "1 1" "and so does --check"
mv original.so a.so
er_archive -v test.1.er >out 2>err
is "$? $(cat out err)" "0 copied $PWD/a.so" "it is archived when it is back"

library b.so 3
strip -R .note.gnu.build-id b.so
experiment plain.er
segment plain.er "$PWD/b.so" "buildid=\"\" fsize=\"$(stat -c %s b.so)\" mtime=\"$(stat -c %.9Y b.so)\""
touch -d '2001-02-03 04:05:06' b.so
er_archive plain.er 2>err
is "$? $(grep -c "changed '$PWD/b.so': its size or modification time" err)" "1 1" \
	"without a build-id the time of modification counts"
experiment plain2.er
segment plain2.er "$PWD/b.so" \
	"buildid=\"\" fsize=\"$(stat -c %s b.so)\" mtime=\"$(stat -c %.9Y b.so)\""
er_archive plain2.er
is $? 0 "and an equal one is enough"

cp a.so 'c.so'
experiment deleted.er
segment deleted.er "$PWD/c.so (deleted)" "$(identity c.so)"
er_archive -v deleted.er >out
is "$? $(cat out)" "0 copied $PWD/c.so (deleted)" \
	"a deleted file that exists again under its name is archived"
check "under the name as mapped" test -f "$(stored deleted.er "$PWD/c.so (deleted)")"
library c.so 9
rm -r deleted.er/archives
er_archive deleted.er 2>err
is "$? $(grep -c changed err)" "1 1" "another file of that name is not"

experiment two.er
experiment two.er/_f1.er
cp a.so d.so
segment two.er "$PWD/d.so" "$(identity d.so)"
was=$(identity d.so)
library d.so 7
segment two.er/_f1.er "$PWD/d.so" "$(identity d.so)"
er_archive -v two.er >out 2>err
is $? 1 "one of two versions of a file is gone"
is "$(cat out)" "copied $PWD/d.so" "the other is archived"
is "$(grep -c "^er_archive: changed '$PWD/d.so'" err)" 1 "and the first is named"
er_archive two.er 2>err
is "$? $(grep -c "^er_archive: changed '$PWD/d.so'" err)" "1 1" "in each run"
: "$was"
done_testing
