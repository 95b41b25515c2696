#!/bin/sh
# Separate debug files are archived with the objects, and are found there when the originals are out of reach.
# Those of another build are not used.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

# stripped PATH NUMBER: a library with a function that only its debug file, PATH.debug, names.
stripped() {
	cat >library.c <<-END
		static __attribute__((noinline)) int hidden_$2(int x) { return x * $2 + 1; }
		int function_$2(int x) { return hidden_$2(x) + hidden_$2(x + 1); }
	END
	cc -g -O1 -shared -fPIC -Wl,--build-id -o "$1" library.c
	objcopy --only-keep-debug "$1" "$1.debug"
	strip --strip-unneeded "$1"
	(cd "$(dirname "$1")" && objcopy --add-gnu-debuglink="$(basename "$1").debug" "$(basename "$1")")
	rm -f library.c
}

line() { # EXPERIMENT PATH: its line of the manifest
	grep " $2 " "$1/archives/manifest"
}

mkdir lib
stripped "$PWD/lib/a.so" 1
experiment test.1.er
segment test.1.er "$PWD/lib/a.so" "$(identity lib/a.so)"
er_archive -a on test.1.er
is "$(stored test.1.er "$PWD/lib/a.so.debug")" "" "-a on copies no debug file"
er_archive --dry-run test.1.er >out
is "$(cat out)" "copied $PWD/lib/a.so
copied $PWD/lib/a.so.debug" "--dry-run tells of the one beside the object"
er_archive -v test.1.er >plan
check "which is then copied" cmp out plan
check "unchanged" cmp lib/a.so.debug "$(stored test.1.er "$PWD/lib/a.so.debug")"
is "$(line test.1.er "$PWD/lib/a.so.debug" | cut -d' ' -f1,2,3,4,11)" \
	"debug $PWD/lib/a.so.debug $PWD/lib/a.so.debug $(build_id lib/a.so) $PWD/lib/a.so" \
	"the manifest says of which object"
is "$(er_archive -v test.1.er)" "present $PWD/lib/a.so
present $PWD/lib/a.so.debug" "a second run has nothing to do"
er_archive --check -v test.1.er >out
is "$? $(cat out)" "0 present $PWD/lib/a.so
present $PWD/lib/a.so.debug" "--check looks at it"

copy=$(stored test.1.er "$PWD/lib/a.so.debug")
printf X | dd of="$copy" bs=1 seek=3000 conv=notrunc 2>/dev/null
er_archive --check test.1.er 2>err
is "$? $(cat err)" "1 er_archive: changed '$PWD/lib/a.so.debug': the checksum of its copy does not match" \
	"and finds damage"
rm "$copy"
er_archive --check test.1.er 2>err
is "$? $(cat err)" "1 er_archive: missing '$PWD/lib/a.so.debug': cannot open its copy: No such file or directory" \
	"and loss"
er_archive -v test.1.er >out
is "$? $(cat out)" "0 present $PWD/lib/a.so
copied $PWD/lib/a.so.debug" "a lost one is copied again"

# ---- reading elsewhere ----

rm test.1.er/archives/a.so_*.archive
mv lib away
cp -a test.1.er moved.er
printf '%s\n' "$(cat test.1.er/log.xml)" >/dev/null
er_archive --check moved.er
is $? 0 "elsewhere everything is there"
er_archive -F moved.er 2>err
is "$? $(sed "s|$PWD|.|" err)" "0 er_archive: warning: './lib/a.so': kept, because it cannot be archived again: the file is missing
er_archive: warning: '$(basename "$copy")': kept: its debug file is missing" \
	"renewing everything keeps both"
er_archive --check moved.er
is $? 0 "and the manifest describes them"
mv away lib

# ---- another build ----

stripped "$PWD/lib/b.so" 2
cp lib/b.so b.saved
stripped "$PWD/lib/b.so" 3
mv b.saved lib/b.so
experiment test.2.er
segment test.2.er "$PWD/lib/b.so" "$(identity lib/b.so)"
er_archive -v test.2.er >out 2>err
is "$? $(cat out err)" "0 copied $PWD/lib/b.so
er_archive: warning: '$PWD/lib/b.so': skipped its debug file '$PWD/lib/b.so.debug': it is from another build" \
	"a rebuilt debug file is reported and left out"
is "$(stored test.2.er "$PWD/lib/b.so.debug")" "" "and not stored"

stripped "$PWD/lib/c.so" 4
for file in lib/c.so lib/c.so.debug; do
	objcopy -R .note.gnu.build-id $file
done
objcopy -R .gnu_debuglink lib/c.so
(cd lib && objcopy --add-gnu-debuglink=c.so.debug c.so)
experiment test.3.er
segment test.3.er "$PWD/lib/c.so"
er_archive -v test.3.er >out
is "$? $(cat out)" "0 copied $PWD/lib/c.so: unverified
copied $PWD/lib/c.so.debug" "without build-ids the checksum of the link decides"
rm -r test.3.er/archives
echo >>lib/c.so.debug
er_archive -v test.3.er >out 2>err
is "$? $(grep -c 'from another build' err)" "0 1" "and finds a single byte too many"

# ---- data shared by several debug files ----

stripped "$PWD/lib/d.so" 5
stripped "$PWD/lib/common.so" 6
{
	printf '../lib/common.so.debug\0'
	build_id lib/common.so | tr -d '\n' | sed 's/../\\x&/g' | xargs -0 printf '%b'
} >altlink
objcopy --add-section .gnu_debugaltlink=altlink lib/d.so.debug
objcopy -R .gnu_debuglink lib/d.so
(cd lib && objcopy --add-gnu-debuglink=d.so.debug d.so)
experiment test.4.er
segment test.4.er "$PWD/lib/d.so" "$(identity lib/d.so)"
er_archive -v test.4.er >out 2>err
is "$? $(cat out err)" "0 copied $PWD/lib/d.so
copied $PWD/lib/d.so.debug
copied $PWD/lib/../lib/common.so.debug" "the file of .gnu_debugaltlink is copied"
stripped "$PWD/lib/common.so" 7
rm -r test.4.er/archives
er_archive -v test.4.er >out 2>err
is "$? $(grep -c 'from another build' err)" "0 1" "unless it is of another build"

# ---- in a store ----

er_archive -v -d store test.1.er >out
rm -r test.1.er/archives
er_archive -v -r store test.1.er >out
is "$? $(cat out)" "0 linked $PWD/lib/a.so
linked $PWD/lib/a.so.debug" "debug files go into a store as well"
check "and are found there" er_archive --check test.1.er
done_testing
