#!/bin/sh
# A program that is built again between two runs: each process has the names of its own version.
. "$TOP/tests/lib/tap.sh"

program() { # FUNCTION NUMBER: in a file of that name. The build-id is one of the code, not of names.
	cat >program.c <<-END
		#include <time.h>
		__attribute__((noinline)) void $1(void)
		{
			while (clock() < CLOCKS_PER_SEC / 20)
				;
		}
		int main(int argc, char **argv)
		{
			$1();
			return argc > $2;
		}
	END
	# shellcheck disable=SC2086
	cc -O1 $flags -o "$1" program.c
}

named() { # EXPERIMENT: which of the functions it shows
	er_print -functions "$1" 2>&1 | grep -oE '(old|middle|new)_work$|not the file.*' | sort | tr '\n' ' '
}

all='middle_work new_work old_work '
for flags in -Wl,--build-id -Wl,--build-id=none; do
	program old_work 10
	program middle_work 20
	program new_work 30
	rm -rf r.er
	cp old_work g
	# Without a build-id a file of the same second is no other version.
	for hours in 1 2 3; do
		touch -d "$hours hours" "$(echo old_work middle_work new_work | cut -d' ' -f $hours)"
	done
	collect -o r.er sh -c 'cp -p old_work g; ./g; cp -p middle_work g; ./g; cp -p new_work g; ./g; :' 2>/dev/null
	is "$(named r.er)" "$all" "$flags: each process has the names of its own version"
	er_archive --check -a on r.er 2>err
	is "$? $(cat err)" "0 " "$flags: all are archived"
	is "$(grep -c "^described $PWD/g[@ ]" r.er/archives/manifest)" 3 "$flags: each has a line"
	er_archive -a copy r.er 2>/dev/null
	is "$(named r.er)" "$all" "$flags: also when the one that is left was copied"
	is "$(er_archive -a copy r.er 2>&1)" "" "$flags: which happens once"
	er_archive -F -a copy r.er >/dev/null 2>&1
	is "$(named r.er)" "$all" "$flags: and when everything was made again"
	rm -f g
	is "$(named r.er)" "$all" "$flags: and when none is left"
	rm -rf there
	mkdir there
	er_export -o there/r.tar r.er >/dev/null 2>&1
	(cd there && er_import r.tar >/dev/null 2>&1)
	is "$(named there/r.er) $(named there/r.tar)" "$all $all" "$flags: and on another machine"
	rm -rf there/r.er there/r.tar
done

# A debug file has one name for all versions of its path.
flags='-g -Wl,--build-id'
for name in old_work new_work; do
	program "$name" 40
	objcopy --only-keep-debug "$name" "$name.debug"
	cp "$name.debug" g.debug
	strip "$name"
	objcopy --add-gnu-debuglink=g.debug "$name"
done
rm -rf r.er
collect -A copy -o r.er sh -c 'cp old_work g; cp old_work.debug g.debug; ./g
	cp new_work g; cp new_work.debug g.debug; ./g; :' 2>/dev/null
check "the debug file of the first version is kept" sh -c 'cmp r.er/archives/g.debug_* old_work.debug'
is "$(named r.er)" "new_work old_work " "and both versions have names"
done_testing
