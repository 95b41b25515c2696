#!/bin/sh
# er_cp -a: objects missing from the archives of the original are added to the copy. The original is
# unchanged.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

host=$(uname -n)
library a.so 1
library b.so 2
library c.so 3
experiment test.1.er
cat >test.1.er/log.xml <<END
<?xml version='1.0' encoding='UTF-8' ?>
<experiment version="12.4">
<system hostname="$host" arch="x86_64"/>
<event kind="exit" tstamp="1.000000000"/>
</experiment>
END
mkdir test.1.er/_f1.er
cp test.1.er/*.xml test.1.er/_f1.er
segment test.1.er "$PWD/a.so" "$(identity a.so)"
segment test.1.er/_f1.er "$PWD/b.so" "$(identity b.so)"
er_archive -n test.1.er
segment test.1.er "$PWD/c.so" "$(identity c.so)"
find test.1.er -exec touch -h -d '2024-02-03 04:05:06.789012345 UTC' {} +
list_tree test.1.er >before

# shellcheck disable=SC2317
unchanged() {
	list_tree test.1.er | diff before -
}

er_cp -va copy test.1.er full.er >out 2>err
is "$? $(cat err)" "0 " 'the copy is made'
for name in a b c; do
	check "with $name.so" cmp $name.so "$(stored full.er "$PWD/$name.so")"
done
check 'and they are described' test -e "$(stored full.er "$PWD/c.so").archive"
check 'its archives are complete' er_archive --check full.er
check 'the original is unchanged' unchanged
is "$(stat -c %Y full.er full.er/log.xml | uniq)" "$(stat -c %Y test.1.er)" 'times are kept'
is "$(grep -c '^copied' full.er/archives/manifest)" 3 'the manifest has all three'
is "$(er_archive -v full.er 2>&1 | sort -u | cut -d' ' -f1 | uniq)" present 'nothing is left to do'

er_cp test.1.er plain.er
er_archive --check plain.er 2>/dev/null
is $? 1 'without -a archives are copied as they are'
er_cp -a off test.1.er off.er && same_tree test.1.er off.er
ok $? '-a off: the same'
er_cp -a on test.1.er on.er
is "$? $(find on.er/archives -name 'c.so_*' ! -name '*.archive' | wc -l)" '0 0' '-a on: no copies'
check 'but descriptions' test -e "$(find on.er/archives -name 'c.so_*.archive')"
er_cp --verify --threads=1 -a copy test.1.er verified.er
is "$? $(diff -r -x manifest full.er verified.er)" '0 ' 'verified, it is the same'

er_cp -a copy test.1.er/_f1.er alone.er
is $? 0 'a sub-experiment alone'
check 'has its objects' cmp b.so "$(stored alone.er "$PWD/b.so")"
check 'and those that were archived before' cmp a.so "$(stored alone.er "$PWD/a.so")"
is "$(stored alone.er "$PWD/c.so")" '' 'but not the objects of others'
check 'the original is unchanged' unchanged

er_cp -na copy test.1.er planned.er >out 2>err
is "$? $(ls planned.er 2>/dev/null) $(cat err)" '0  ' 'a dry run makes nothing'
check 'and changes nothing' unchanged

rm c.so
er_cp -va copy test.1.er lacking.er >out 2>err
is "$? $(cat err)" "1 er_cp: missing '$PWD/c.so'" 'missing objects are named'
check 'and the copy is still made' cmp b.so "$(stored lacking.er "$PWD/b.so")"
er_cp -na copy test.1.er planned.er >out 2>err
is "$? $(cat err)" "1 er_cp: missing '$PWD/c.so'" 'also by a dry run'

sed -i "s/hostname=\"$host\"/hostname=\"elsewhere\"/" test.1.er/log.xml
er_cp -a on test.1.er other.er 2>err
is "$(head -1 err)" \
	"er_cp: warning: 'test.1.er': was recorded on 'elsewhere', but load objects are taken from this host" \
	'another host is warned of'
er_cp test.1.er other2.er 2>err
is "$(cat err)" '' 'but not where nothing is archived'

er_cp -a copy --no-archives test.1.er none.er 2>err
is "$? $(head -1 err)" '2 er_cp: -a and --no-archives are mutually exclusive' 'contradictions are refused'
er_cp -a everything test.1.er none.er 2>err
is "$? $(head -1 err | cut -d: -f1,2)" "2 er_cp: 'everything' is not an archive mode" 'and unknown modes'
is "$(hidden .)" '' 'nothing is left over'
done_testing
