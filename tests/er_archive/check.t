#!/bin/sh
# --check changes nothing and finds every damage.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

library a.so 1
library b.so 2
experiment test.1.er
segment test.1.er "$PWD/a.so" "$(identity a.so)"
segment test.1.er "$PWD/b.so"
er_archive --check test.1.er 2>err
is "$? $(grep -c "missing '.*': not archived" err)" "1 2" "nothing is archived at first"
check "and nothing is made" test ! -e test.1.er/archives

er_archive -a on -v test.1.er >out
is "$? $(cut -d' ' -f1 out | uniq)" "0 described" "-a on describes"
is "$(find test.1.er/archives -type f ! -name '*.archive' ! -name manifest | wc -l)" 0 \
	"and copies nothing"
er_archive -a on --check test.1.er
is $? 0 "which is complete for -a on"
er_archive --check test.1.er 2>err
is "$? $(grep -c 'not archived' err)" "1 2" "but not for -a copy"

er_archive test.1.er
find test.1.er -exec ls -ld --time-style=full-iso {} + >before
er_archive --check -v test.1.er >out
is "$? $(cut -d' ' -f1 out | uniq)" "0 present" "copies are complete"
find test.1.er -exec ls -ld --time-style=full-iso {} + >after
check "checking changes nothing" cmp before after

copy=$(stored test.1.er "$PWD/b.so")
chmod u+w "$copy"
printf X | dd of="$copy" bs=1 seek=5000 conv=notrunc 2>/dev/null
er_archive --check test.1.er 2>err
is "$? $(cat err)" "1 er_archive: changed '$PWD/b.so': the checksum of its copy does not match" \
	"a single changed byte is found"
rm "$copy"
er_archive --check test.1.er 2>err
is "$? $(grep -c "missing '$PWD/b.so'" err)" "1 1" "a lost copy is found"
rm b.so
er_archive test.1.er 2>err
is "$? $(cat err)" "1 er_archive: missing '$PWD/b.so'" "and reported missing if it cannot be replaced"

er_archive -a off --check test.1.er
is $? 0 "-a off requires nothing"
rm -r test.1.er/archives
er_archive -a off test.1.er
is "$? $(find test.1.er -name archives | wc -l)" "0 0" "and makes nothing"

library b.so 2
er_archive test.1.er
good=$(cat test.1.er/archives/manifest)
sed -i 's/^copied/swallowed/' test.1.er/archives/manifest
er_archive -v test.1.er >out 2>err
is "$? $(cat err)" "0 er_archive: warning: 'archives/manifest': cannot read line 2; checking its object again" \
	"a damaged line of the manifest is named"
is "$(cut -d' ' -f1 out | uniq)" present "copies are kept from the archive"
is "$(cut -d' ' -f1,2,4,5,6,10- test.1.er/archives/manifest)" \
	"$(echo "$good" | cut -d' ' -f1,2,4,5,6,10-)" "and the line is written again"
done_testing
