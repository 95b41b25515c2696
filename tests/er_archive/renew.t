#!/bin/sh
# -F: everything is archived again, but nothing irreplaceable is lost.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

library a.so 1
library b.so 2
library c.so 3
experiment test.1.er
experiment test.1.er/_f1.er
segment test.1.er "$PWD/a.so" "$(identity a.so)"
segment test.1.er "$PWD/b.so" "$(identity b.so)"
segment test.1.er/_f1.er "$PWD/c.so"
er_archive test.1.er
copy=$(stored test.1.er "$PWD/a.so")
echo damage >>"$copy"
echo 'int main;' >test.1.er/archives/main.c_00000000000
chmod 750 test.1.er/archives
sleep 0.01
er_archive -Fv test.1.er >out 2>err
is $? 0 "everything is renewed"
is "$(cat out)" "copied $PWD/a.so
copied $PWD/b.so
copied $PWD/c.so: unverified" "each object is copied again"
check "so that a damaged copy is whole" cmp a.so "$copy"
is "$(cat err)" "er_archive: warning: 'main.c_00000000000': kept: not a load object of this experiment" \
	"files made by others are kept and reported"
is "$(cat test.1.er/archives/main.c_00000000000)" "int main;" "as it was"
is "$(stat -c %a test.1.er/archives)" 750 "the directory keeps its mode"
is "$(er_archive -Fq test.1.er 2>&1)" "" "-q drops the warning"

rm a.so
library b.so 9
er_archive -Fv test.1.er >out 2>err
is $? 0 "a complete archive stays complete"
is "$(grep -c "warning: '$PWD/[ab].so': kept, because it cannot be archived again" err)" 2 \
	"copies that cannot be renewed are kept and reported"
is "$(cat out)" "copied $PWD/c.so: unverified" "the rest is renewed"
er_archive --check test.1.er
is $? 0 "with its checksums"
is "$(sed 1d test.1.er/archives/manifest | cut -d' ' -f1 | sort | uniq -c | tr -s ' \n' ' ')" \
	" 2 copied 1 unverified " "and its lines"

find test.1.er/archives -name 'a.so_*' -delete
er_archive -F test.1.er 2>err
is "$? $(grep -c "^er_archive: missing '$PWD/a.so'" err)" "1 1" "an object without any copy is missing"

cp -a test.1.er/archives before
er_archive -Fn test.1.er 2>err
is "$(grep -c 'warning: .*: not archived again' err)" 1 "-F is ignored with -n"
er_archive -F test.1.er/_f1.er 2>err
is "$? $(grep -c 'warning: .*: not archived again' err)" "0 1" "and for a descendant"
rm -f before/manifest
check "which lose nothing" diff -r -x manifest before test.1.er/archives

mkdir test.1.er/.archives.abcdef.part
touch test.1.er/.archives.abcdef.part/file test.1.er/archives/.archives.abcdef.part
er_archive test.1.er 2>/dev/null
is "$(find test.1.er -name '*.part' | wc -l)" 0 "leftovers of a killed archiver are removed"
done_testing
