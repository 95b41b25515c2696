#!/bin/sh
# A store shared by experiments: one file for each content, links to it that remain valid, and no content
# trusted without being read.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

library a.so 1
library b.so 2
chmod 4755 a.so
mkdir copies
cp -p a.so copies/same.so
experiment test.1.er
for object in a.so b.so copies/same.so; do
	segment test.1.er "$PWD/$object" "$(identity $object)"
done

er_archive -v -d store test.1.er >out
is "$? $(cut -d' ' -f1 out | uniq)" "0 linked" "-d makes the store and links to it"
is "$(find store -type f | wc -l)" 2 "which has one file for each content"
is "$(cd store && echo *)" \
	"$(sed 1d test.1.er/archives/manifest | cut -d' ' -f10 | sort -u | tr '\n' ' ' | sed 's/ $//')" \
	"named by its checksum"
is "$(find store -type f -perm /7222 | wc -l)" 0 "which is read-only"
copy=$(find test.1.er/archives -name 'a.so_???????????')
is "$(readlink "$copy")" "$PWD/store/$(basename "$(readlink "$copy")")" "the links are absolute"
check "and lead to the object" cmp "$copy" a.so
is "$(er_archive -v test.1.er | cut -d' ' -f1 | uniq)" present "a second run has nothing to do"
er_archive --check test.1.er
is $? 0 "and all is complete"

experiment test.2.er
segment test.2.er "$PWD/a.so" "$(identity a.so)"
er_archive -r store test.2.er
copy=$(find test.2.er/archives -name 'a.so_???????????')
is "$? $(readlink "$copy")" "0 ../../store/$(basename "$(readlink "$copy")")" \
	"-r makes relative links"
is "$(find store -type f | wc -l)" 2 "to what is there"
mkdir -p deep/er
cp -a test.2.er deep/er/test.2.er
rm -r deep/er/test.2.er/archives
(cd deep && er_archive -r ../store er/test.2.er/)
copy=$(find deep/er/test.2.er/archives -name 'a.so_???????????')
is "$(readlink "$copy")" "../../../../store/$(basename "$(readlink "$copy")")" \
	"from wherever the experiment is"
check "which lead there" cmp "$copy" a.so

# ---- the command line ----

er_archive -d store -r store test.1.er 2>err
is "$? $(head -n 1 err)" "2 er_archive: -d and -r are mutually exclusive" "-d and -r are mutually exclusive"
rm -r test.2.er/archives
er_archive -d one -d two test.2.er 2>err
is "$? $(cat err)" "0 er_archive: warning: option '-d' is given twice: using 'two'" "the last of two -d counts"
check "and it alone" test -d two -a ! -e one
rm -r test.2.er/archives
SP_ARCHIVE_COMMON_DIR=$PWD/three er_archive test.2.er
check "SP_ARCHIVE_COMMON_DIR is the default" test -d three
rm -r test.2.er/archives
SP_ARCHIVE_COMMON_DIR=$PWD/four er_archive -r two test.2.er
check "which an option beats" test ! -e four
er_archive -d test.1.er/store test.1.er 2>err
is "$? $(cat err)" "1 er_archive: cannot use 'test.1.er/store' as a store: it is inside the experiment" \
	"an experiment is not a store"
check "and none is made in it" test ! -e test.1.er/store
er_archive -d no/such test.1.er 2>err
is "$? $(cat err)" "1 er_archive: cannot create 'no/such': No such file or directory" \
	"nor is a directory that cannot be made"

# ---- times ----

library plain.so 5
strip -R .note.gnu.build-id plain.so
touch -d '2001-02-03 04:05:06' plain.so
cp plain.so later.so
for name in plain later; do
	experiment $name.er
	segment $name.er "$PWD/$name.so" "$(identity $name.so)"
	er_archive -d times $name.er
	er_archive --check $name.er
	is "$?" 0 "without build-ids ($name) the link keeps the object's time"
	is "$(er_archive -v $name.er)" "present $PWD/$name.so" "and is known by it"
done
is "$(find times -type f | wc -l)" 1 "though the content is one"
er_export later.er && mkdir in && er_import -C in later.er.tar.zst
er_archive --check in/later.er
is "$? $(find in -type l | wc -l)" "0 0" "bundles have the file, with that time"

# ---- damage ----

stored=$(readlink test.1.er/archives/b.so_???????????)
chmod u+w "$stored"
printf X | dd of="$stored" bs=1 seek=5000 conv=notrunc 2>/dev/null
er_archive --check test.1.er 2>err
is "$? $(cat err)" "1 er_archive: changed '$PWD/b.so': the checksum of its copy does not match" \
	"a damaged file of the store is found"
rm test.1.er/archives/manifest
er_archive --check test.1.er 2>err
is "$? $(grep -c 'checksum of its copy does not match' err)" "1 1" "even without a manifest"
experiment test.3.er
segment test.3.er "$PWD/b.so" "$(identity b.so)"
er_archive -d store test.3.er
er_archive --check test.1.er 2>>err
is "$? $(cmp b.so "$stored")" "0 " "storing the same object repairs it for all"
rm "$stored"
er_archive --check test.1.er 2>err
is "$? $(cat err)" "1 er_archive: missing '$PWD/b.so': its link is broken: '$stored' does not exist" \
	"a lost one is found"
er_archive test.1.er
is "$? $(find test.1.er/archives -type f -name 'b.so_???????????' | wc -l)" "0 1" \
	"and replaced by a copy of our own"

# ---- links to other places ----

name=$(basename "$(find test.3.er/archives -name 'b.so_???????????')")
ln -sf "$PWD/b.so" "test.3.er/archives/$name"
er_archive --check test.3.er 2>err
is "$? $(cat err)" "1 er_archive: changed '$PWD/b.so': its copy is not the file that was recorded" \
	"no other link is followed"
er_archive -d store test.3.er
er_archive --check test.3.er
is "$?" 0 "but replaced"

# ---- several concurrently ----

for i in 1 2 3 4 5 6 7 8; do
	experiment many$i.er
	library own$i.so 1$i
	for object in a.so b.so own$i.so; do
		segment many$i.er "$PWD/$object" "$(identity "$object")"
	done
done
: >err
: >shared.err
for _ in 1 2 3 4 5; do
	rm -rf shared many?.er/archives
	for i in 1 2 3 4 5 6 7 8; do
		er_archive -d shared many$i.er 2>>shared.err &
	done
	wait
	for i in 1 2 3 4 5 6 7 8; do
		er_archive --check many$i.er 2>>err
	done
	found="$found$(find shared -type f | wc -l) "
done
is "$(cat shared.err)" "" "archivers that share a store do not disturb each other"
is "$found$(cat err)" "10 10 10 10 10 " "and lose nothing"

: >shared/.archives.aaaaaa.part
ln -s nowhere many1.er/archives/.archives.bbbbbb.part
er_archive -F -d shared many1.er
is "$(find shared many1.er -name '*.part' | wc -l)" 0 "leftovers of killed archivers are removed"
done_testing
