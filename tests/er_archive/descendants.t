#!/bin/sh
# Everything goes into the founder's archive, whichever process mapped it.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

for name in a b c d; do
	library $name.so $((i = i + 1))
done
experiment test.1.er
segment test.1.er "$PWD/a.so"
for descendant in _f1.er _f10_x1.er _f2.er M_r0.er; do
	experiment test.1.er/$descendant
	segment test.1.er/$descendant "$PWD/a.so"
done
segment test.1.er/_f10_x1.er "$PWD/d.so"
segment test.1.er/_f2.er "$PWD/b.so"
segment test.1.er/M_r0.er "$PWD/c.so"
mkdir test.1.er/_x1.er
cp -a test.1.er copy.er

is "$(er_archive -nv test.1.er)" "copied $PWD/a.so: unverified" "with -n only the founder's"
is "$(er_archive -v test.1.er/_f2.er/)" "present $PWD/a.so: unverified
copied $PWD/b.so: unverified" "a descendant adds its own"
is "$(cd test.1.er && er_archive -v M_r0.er)" "present $PWD/a.so: unverified
copied $PWD/c.so: unverified" "also from inside the founder"
is "$(er_archive -v test.1.er | sed 's/:.*//')" "present $PWD/a.so
present $PWD/c.so
present $PWD/b.so
copied $PWD/d.so" "the founder gets the rest, in the order of names"
is "$(find test.1.er -name archives)" test.1.er/archives "there is one archive"
is "$(sed 1d test.1.er/archives/manifest | wc -l)" 4 "each object is in it once"

rm copy.er/_f1.er/map.xml
rm copy.er/_f2.er/map.xml copy.er/_f2.er/log.xml
er_archive -v copy.er >out 2>err
is $? 1 "a descendant without a map is named"
is "$(grep -c 'copy.er/_f1.er.*map.xml' err)" 1 "with the file that is missing"
is "$(grep -c . err)" 1 "one that recorded nothing is not"
is "$(grep -c '^copied' out)" 3 "the others are archived"

printf '#analyzer experiment group\ntest.1.er\nnone.er\ntest.1.er/_f2.er\n' >all.erg
er_archive -v all.erg >out 2>err
is $? 1 "a group with a missing member fails"
is "$(grep -c '^present' out)" 6 "but for the others, each in turn"
is "$(grep -c none.er err)" 1 "and names it"
done_testing
