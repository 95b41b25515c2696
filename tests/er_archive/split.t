#!/bin/sh
# The files of split debug data are archived with the objects: .dwo files, .o files that hold the data, and
# packages, provided they are of the object's build.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

# build COMPILER FLAGS...: make ./prog of a.c and sub/b.c, and its experiment test.1.er.
build() {
	rm -rf test.1.er prog prog.dwp ./*.dwo sub/*.dwo ./*.o sub/*.o
	"$@" -gsplit-dwarf -c a.c -o a.o &&
		"$@" -gsplit-dwarf -c sub/b.c -o sub/b.o &&
		cc -Wl,--build-id -o prog a.o sub/b.o || return
	experiment test.1.er
	segment test.1.er "$PWD/prog" "$(identity prog)"
}

# debug: list the manifest's files of prog.
debug() {
	sed -n "s|^debug \([^ ]*\) .* $PWD/prog$|\1|p" test.1.er/archives/manifest |
		sed "s|^$PWD/||" | tr '\n' ' '
}

mkdir sub
echo 'int b(int x); int main(int count, char **words) { return b(count) != 3; }' >a.c
echo 'int b(int x) { return x * 3; }' >sub/b.c

for flags in 'cc -gdwarf-4' 'cc -gdwarf-5' 'cc -gdwarf-5 -gz' 'clang -gdwarf-4' 'clang -gdwarf-5'; do
	# shellcheck disable=SC2086 # a compiler and its options
	if ! build $flags 2>/dev/null; then
		skip "not to be built here" "$flags"
		continue
	fi
	er_archive -a on test.1.er
	is "$(debug)" "" "$flags: -a on takes no split files"
	er_archive --dry-run test.1.er >plan
	er_archive -v test.1.er >out
	is "$? $(debug)" "0 a.dwo sub/b.dwo " "$flags: -a copy takes those of all units"
	check "$flags: as --dry-run announced" cmp plan out
	check "$flags: unchanged" cmp sub/b.dwo "$(stored test.1.er b.dwo)"
	er_archive --check test.1.er 2>err
	is "$? $(cat err)" "0 " "$flags: --check finds them"

	mkdir away
	mv a.dwo sub/b.dwo away
	er_archive -F test.1.er 2>err
	is "$? $(debug)" "0 a.dwo sub/b.dwo " "$flags: they are found in the archive when they are gone"
	rm -r test.1.er/archives
	er_archive test.1.er 2>err
	is "$? $(debug)$(sed "s|$PWD|.|g" err)" \
		"0 er_archive: warning: './prog': 2 of 2 split debug files are missing, such as './sub/b.dwo'" \
		"$flags: missing ones are counted"
	cp test.1.er/archives/manifest before
	er_archive -v test.1.er >out 2>err
	is "$? $(cat out) $(grep -c 'are missing' err)" "0 present $PWD/prog 1" "$flags: and reported again"
	check "$flags: which changes nothing" cmp before test.1.er/archives/manifest
	echo "addpath $PWD/away" >.er.rc
	er_archive -v test.1.er >out 2>err
	is "$? $(debug)$(cut -d' ' -f1 out | tr '\n' ' ')$(cat err)" "0 a.dwo sub/b.dwo present copied copied " \
		"$flags: files that exist by then are added"
	er_archive -v test.1.er >out 2>err
	is "$? $(cut -d' ' -f1 out | sort -u)$(cat err)" "0 present" "$flags: and that is all"
	rm -r test.1.er/archives
	er_archive test.1.er 2>err
	is "$? $(debug)$(cat err)" "0 a.dwo sub/b.dwo " "$flags: addpath leads to them"
	is "$(grep -c " $PWD/sub/b.dwo $PWD/away/b.dwo " test.1.er/archives/manifest)" 1 \
		"$flags: the manifest says where they were"
	rm -r .er.rc test.1.er/archives
	mv away/a.dwo .
	cp a.dwo sub/b.dwo
	rm -r away
	er_archive test.1.er 2>err
	is "$? $(debug)$(sed "s|$PWD|.|g" err)" \
		"0 a.dwo er_archive: warning: './prog': skipped 1 of 2 split debug files from another build, such as './sub/b.dwo'" \
		"$flags: one of another unit is left out"
done

if clang -gdwarf-5 -gsplit-dwarf=single -c a.c -o a.o 2>/dev/null &&
	clang -gdwarf-5 -gsplit-dwarf=single -c sub/b.c -o sub/b.o; then
	cc -Wl,--build-id -o prog a.o sub/b.o
	rm -rf test.1.er
	experiment test.1.er
	segment test.1.er "$PWD/prog" "$(identity prog)"
	er_archive test.1.er
	is "$? $(debug)" "0 a.o sub/b.o " "object files that hold the debug data are taken"
	clang -gdwarf-5 -gsplit-dwarf=single -DX -c a.c -o sub/b.o
	rm -r test.1.er/archives
	er_archive test.1.er 2>err
	is "$? $(debug)$(grep -c 'from another build' err)" "0 a.o 1" "unless they are of another build"
else
	skip "no clang that leaves debug data in object files" "object files that hold the debug data"
fi

# ---- packages ----

if build cc -gdwarf-4 && dwp -e prog -o prog.dwp 2>/dev/null; then
	er_archive -v test.1.er >out
	is "$? $(debug)" "0 prog.dwp " "a package replaces the files that it contains"
	check "a package is copied as it is" cmp prog.dwp "$(stored test.1.er prog.dwp)"
	er_archive --check -v test.1.er >out
	is "$? $(cat out)" "0 present $PWD/prog
present $PWD/prog.dwp" "--check finds it"
	echo 'int c(void) { return 3; }' >>sub/b.c
	mv prog.dwp kept.dwp
	build cc -gdwarf-4
	mv kept.dwp prog.dwp
	er_archive test.1.er 2>err
	is "$? $(debug)" "0 prog.dwp sub/b.dwo " "files missing from a package are archived beside it"
	echo 'int d(void) { return 4; }' >>a.c
	mv prog.dwp kept.dwp
	build cc -gdwarf-4
	mv kept.dwp prog.dwp
	er_archive test.1.er 2>err
	is "$? $(debug)$(sed "s|$PWD|.|g" err)" \
		"0 a.dwo sub/b.dwo er_archive: warning: './prog': skipped './prog.dwp': it is from another build" \
		"a package that has no unit of the object is left out"
else
	skip "no dwp" "packages"
fi

# ---- with a separate debug file, which then has the skeletons ----

build cc -gdwarf-5
objcopy --only-keep-debug prog prog.debug
strip prog
objcopy --add-gnu-debuglink=prog.debug prog
rm -rf test.1.er
experiment test.1.er
segment test.1.er "$PWD/prog" "$(identity prog)"
er_archive test.1.er
is "$? $(debug)" "0 a.dwo prog.debug sub/b.dwo " "skeletons may be in a separate debug file"
er_archive -F -d store test.1.er
is "$? $(find test.1.er/archives -type l | wc -l)" "0 4" "a store gets all of it"
check "and has it" er_archive --check test.1.er

# ---- names that lead elsewhere ----

build cc -gdwarf-5
rm a.dwo sub/b.dwo
mkfifo a.dwo
ln -s /etc/passwd sub/b.dwo
timeout 20 er_archive test.1.er 2>err
is "$? $(debug)" "0 " "neither a fifo nor another file is mistaken for one"
done_testing
