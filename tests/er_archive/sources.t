#!/bin/sh
# -a src and -a usedsrc: the source files that line tables name, provided they are the ones that were
# compiled.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

# sources EXPERIMENT: list the manifest's source files, below here.
sources() {
	sed -n 's/^source \([^ ]*\) .*/\1/p' "$1/archives/manifest" | sed -n "s|^$PWD/||p" |
		tr '\n' ' '
}

# ---- two programs, in C and C++, built with all kinds of debug data ----
mkdir -p sub inc
cat >inc/kernel.h <<'END'
static inline double kernel(double x)
{
	for (long i = 0; i < 40000000; i++)
		x *= 1.0000001;
	return x;
}
END
cat >sub/hot.c <<'END'
#include "../inc/kernel.h"

double hot(double x)
{
	return kernel(x);
}
END
echo 'int cold(void) { return 1; }' >sub/cold.c
cat >main.c <<'END'
double hot(double);
int cold(void);

int main(void)
{
	double x = 1;

	for (int i = 0; i < 3; i++)
		x = hot(x);
	return cold() + x < 0;
}
END
cat >main.cc <<'END'
#include <vector>

extern "C" double hot(double);

int main()
{
	std::vector<double> values(3, 1.0);

	for (double &value : values)
		value = hot(value);
	return values[0] + values[1] < 0;
}
END
all='inc/../main.c inc/../sub/../inc/kernel.h inc/../sub/cold.c inc/../sub/hot.c '
used='inc/../main.c inc/../sub/../inc/kernel.h inc/../sub/hot.c '

for kind in -gdwarf-4 -gdwarf-5 '-gdwarf-4 -gsplit-dwarf' '-gdwarf-5 -gsplit-dwarf'; do
	# shellcheck disable=SC2086
	(cd inc && cc -O1 $kind -o ../prog ../main.c ../sub/hot.c ../sub/cold.c 2>/dev/null)
	collect -p on -A off -o test.1.er ./prog 2>err
	cp -a test.1.er used.1.er
	er_archive -a src -m "^$PWD/" test.1.er 2>err
	is "$? $(sources test.1.er)" "0 $all" "$kind: -a src takes all sources"
	er_archive -a usedsrc -m "^$PWD/" used.1.er 2>err
	is "$? $(sources used.1.er)" "0 $used" "$kind: -a usedsrc those of recorded addresses"
	er_archive --check -a src -m "^$PWD/" used.1.er 2>err
	is "$? $(sed "s|$PWD/||" err)" \
		"1 er_archive: missing 'inc/../sub/cold.c': not archived" \
		"$kind: which --check -a src finds incomplete"
	check "$kind: a copy is unchanged" cmp sub/hot.c "$(stored test.1.er hot.c)"
	is "$(er_archive -a src -v -m "^$PWD/" test.1.er | cut -d' ' -f1 | sort -u)" present \
		"$kind: another run finds everything present"
	rm -rf test.1.er used.1.er
done
cc -O1 -g -c sub/hot.c && c++ -O1 -g -o prog main.cc hot.o
collect -p on -A src -o cc.er ./prog 2>err
is "$? $(sources cc.er | grep -o 'main.cc\|sub/hot.c' | tr '\n' ' ')" "0 main.cc sub/hot.c " \
	"collect -A src archives those of C++ at the end"
check "with the headers of its library" grep -q '^source /usr/.*/vector' cc.er/archives/manifest
er_archive --check -a src cc.er 2>err
is $? 0 "which is then complete"

# ---- read by gprofng, without the sources ----
if command -v gp-collect-app >/dev/null; then
	cc -O1 -gdwarf-4 -o prog main.c sub/hot.c ./sub/cold.c
	gp-collect-app -a off -p on -o theirs.er ./prog >/dev/null 2>&1
	cp -a theirs.er ours.er
	cp -a theirs.er both.er
	gp-archive -a src theirs.er >/dev/null 2>&1
	er_archive -a src ours.er 2>err
	gp-archive -a src both.er >/dev/null 2>&1
	ls theirs.er/archives >theirs
	(cd ours.er/archives && ls) >ours
	is "$(comm -23 theirs ours)" "" "er_archive copies the same files as gp-archive, under the same names"
	er_archive -a src both.er 2>err
	is "$? $(sources both.er)" "0 main.c sub/../inc/kernel.h sub/cold.c sub/hot.c " \
		"and adopts an archive of gp-archive"
	mkdir away
	mv main.c sub inc prog away
	gp-display-text -source hot ours.er >shown 2>&1
	is "$(grep -c 'found as ours.er/archives/hot.c_' shown) $(grep -c 'return kernel(x);' shown)" \
		"1 1" "gp-display-text shows them from there"
	er_archive --check -a src ours.er 2>err
	is "$?" 0 "a complete archive no longer needs the sources"
	er_archive -a src ours.er 2>err
	is "$? $(cat err)" "0 " "and is left alone"
	mv away/* .
	rmdir away
else
	skip "gprofng is not installed" "er_archive copies the same files as gp-archive"
fi

# ---- files other than those compiled ----
cc -O1 -g -o prog main.c sub/hot.c sub/cold.c
collect -p on -A off -o first.er ./prog 2>err
fresh() {
	rm -rf test.1.er
	cp -a first.er test.1.er
}
cp -a sub kept
sleep 1.1
echo '/* later */' >>sub/hot.c
rm sub/cold.c
fresh
er_archive -a src -v -m "^$PWD/" test.1.er >out 2>err
is "$? $(cat err)" \
	"1 er_archive: changed '$PWD/sub/hot.c': modified after the start of the run
er_archive: warning: '$PWD/prog': 1 of 4 source files are missing, such as '$PWD/sub/cold.c'" \
	"a changed one is named, missing ones are counted"
is "$(grep -c "^missing $PWD/sub/cold.c$" out)" 1 "and named with -v"
is "$(sources test.1.er)" "main.c sub/../inc/kernel.h " "the others are archived"
is "$(sed -n "s|^\([a-z]*\) $PWD/sub/hot.c .*|\1|p" test.1.er/archives/manifest)" changed \
	"the manifest says so"
is "$(find test.1.er/archives -name 'hot.c_*' | wc -l)" 0 "no part of the changed one is stored"
rm -r sub
cp -a kept sub
er_archive -a src -m "^$PWD/" test.1.er 2>err
is "$? $(sources test.1.er)" "0 main.c sub/../inc/kernel.h sub/cold.c sub/hot.c " \
	"they are archived when they exist again"
rm sub/cold.c
er_archive -a src -F test.1.er 2>err
is "$? $(grep -c "warning: '$PWD/sub/cold.c': kept, because it cannot be archived again: the file is missing" err)" \
	"0 1" "-F keeps and names what is not to be had"
is "$(sources test.1.er)" "main.c sub/../inc/kernel.h sub/cold.c sub/hot.c " "with its line"
er_archive -F test.1.er 2>err
is "$? $(grep -c '\.[ch]_' err) $(find test.1.er/archives -name 'hot.c_*' | wc -l)" "0 0 1" \
	"and with another mode keeps all sources"
cp -p kept/cold.c sub
copy=$(stored test.1.er hot.c)
chmod u+w "$copy"
printf X | dd of="$copy" bs=1 seek=3 conv=notrunc 2>/dev/null
er_archive --check -a src test.1.er 2>err
is "$? $(cat err)" "1 er_archive: changed '$PWD/sub/hot.c': the checksum of its copy does not match" \
	"--check reads the copies"

# ---- the choice of files, and their destination ----
fresh
er_archive --dry-run -s all -m '/hot\.c$' test.1.er >out 2>err
is "$? $(cat out err)" "0 copied $PWD/sub/hot.c" "-m and --dry-run apply to sources"
is "$(find test.1.er/archives -type f | wc -l)" 0 "and nothing is written"
er_archive -s used -m "^$PWD/sub" test.1.er
is "$? $(sources test.1.er)" "0 sub/../inc/kernel.h sub/hot.c " "-s used is -a usedsrc"
er_archive -s all -m "^$PWD/sub" test.1.er
is "$? $(sources test.1.er)" "0 sub/../inc/kernel.h sub/cold.c sub/hot.c " "-s all is -a src"
fresh
er_archive -s off test.1.er
is "$? $(find test.1.er/archives -type f | wc -l)" "0 0" "-s off alone archives nothing"
er_archive -a src -s off -m "^$PWD/" test.1.er
is "$? $(sources test.1.er) $(sed 1d test.1.er/archives/manifest | cut -d' ' -f1)" "0  copied" \
	"-s off takes the sources out of a mode"
er_archive -s some test.1.er 2>err
is "$? $(head -n 1 err)" "2 er_archive: 'some' is not a source mode: use all, used or off" \
	"other words are a wrong command line"
fresh
er_archive -a src -m "^$PWD/" -d "$PWD/store" test.1.er
is "$? $(sources test.1.er)" "0 main.c sub/../inc/kernel.h sub/cold.c sub/hot.c " \
	"sources go to a store, too"
check "with links to it" test -L "$(stored test.1.er hot.c)"
er_archive --check -a src -m "^$PWD/" test.1.er
is $? 0 "which --check follows"
rm -rf test.1.er
SP_ARCHIVE_ARGS="-s all -m ^$PWD/" collect -p on -A copy -o auto.er ./prog 2>err
is "$? $(sources auto.er)" "0 main.c sub/../inc/kernel.h sub/cold.c sub/hot.c " \
	"SP_ARCHIVE_ARGS adds sources to collect's mode"

fresh
er_export -a src -o bundle.tar.zst test.1.er 2>err
is "$? $(find test.1.er/archives -type f | wc -l)" "0 0" "er_export -a src only reads the experiment"
mkdir there
er_import -C there bundle.tar.zst
is "$(sources there/test.1.er)" "main.c sub/../inc/kernel.h sub/cold.c sub/hot.c " \
	"and takes the sources along"
check "unchanged" cmp sub/hot.c "$(stored there/test.1.er hot.c)"
(cd there && er_archive --check -a src -m "^${PWD%/there}/" test.1.er) 2>err
is "$? $(cat err)" "0 " "with their lines in the manifest"
done_testing
