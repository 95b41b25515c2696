#!/bin/sh
# The files that er_archive adds to load objects (debug files, those of split data, and jars) are also in the
# bundle of an experiment without archives.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

if ! python3 -c 'import zipfile' 2>/dev/null || ! objcopy --version >/dev/null 2>&1; then
	skip "no python3, or no objcopy" "debug files and jars"
	done_testing
fi

echo 'int b(int x); int main(int count, char **words) { return b(count) != 3; }' >a.c
echo 'int b(int x) { return x * 3; }' >b.c
if ! cc -gdwarf-5 -gsplit-dwarf -c a.c || ! cc -gdwarf-5 -gsplit-dwarf -c b.c ||
	! cc -Wl,--build-id -o split a.o b.o; then
	skip "not to be built here" "debug files and jars"
	done_testing
fi
cc -g -Wl,--build-id -o apart a.c b.c && objcopy --only-keep-debug apart apart.debug &&
	objcopy --strip-debug --add-gnu-debuglink=apart.debug apart || exit
python3 -c 'import zipfile; zipfile.ZipFile("app.jar", "w").writestr("A.class", "text")' || exit
experiment test.1.er
for name in split apart; do
	segment test.1.er "$PWD/$name" "$(identity $name)"
done
segment test.1.er "$PWD/app.jar"
cp -R test.1.er plain.er

# listed MANIFEST: state, path and checksum of each line.
listed() {
	awk 'NR > 1 { print $1, $2, $10 }' "$1"
}

# exported [OPTION...]: carry plain.er, as test.1.er, through a bundle into in.
exported() {
	rm -rf in
	er_export -q "$@" -f -o plain.tar.zst plain.er 2>err || return
	mkdir in && er_import -q -C in plain.tar.zst
}

er_archive -q test.1.er || exit
exported
ok $? 'an experiment without archives is exported' || cat err
is "$(sed -n 's/^debug \([^ ]*\) .*/\1/p; s/^jar \([^ ]*\) .*/\1/p' in/plain.er/archives/manifest |
	sed "s|^$PWD/||" | LC_ALL=C sort | tr '\n' ' ')" 'a.dwo apart.debug app.jar b.dwo ' \
	'with debug files, split ones and jars'
(cd test.1.er/archives && ls) >archived
(cd in/plain.er/archives && ls) | diff archived -
ok $? 'under the names of er_archive'
for file in a.dwo app.jar apart.debug b.dwo; do
	cmp $file "$(stored in/plain.er $file)"
	ok $? "$file: as it is"
done
listed test.1.er/archives/manifest >archived
listed in/plain.er/archives/manifest | diff archived -
ok $? 'and the manifest says of them what that of er_archive does'
er_archive --check in/plain.er >out 2>&1
is "$? $(cat out)" '0 ' 'so that nothing is missing'
exported -a on && ! grep -q '^debug\|^jar' in/plain.er/archives/manifest
ok $? 'none of them with -a on'

# The copies are there, but not the files that belong to them.
rm plain.er/archives -rf
mkdir plain.er/archives
for name in split apart; do
	cp -p "$(stored test.1.er $name)" plain.er/archives/
done
exported && listed in/plain.er/archives/manifest | grep -c '^debug' >count
is "$(cat count)" 3 'they also accompany copies missing from the manifest'
mv b.dwo away
er_export -f -o plain.tar.zst plain.er 2>err
is "$? $(sed "s|$PWD|.|g" err)" \
	"0 er_export: warning: './split': 1 of 2 split debug files are missing, such as './b.dwo'" \
	'missing files are reported'
done_testing
