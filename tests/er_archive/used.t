#!/bin/sh
# -a usedcopy: copies of those load objects that contain recorded addresses, descriptions of all.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

cat >work.c <<'END'
int work(int millions)
{
	volatile double x = 1;

	for (long i = 0; i < millions * 1000000L; i++)
		x *= 1.0000001;
	return x > 0;
}
END
cp work.c other.c
sed -i s/work/other/ other.c
echo 'int idle(void) { return 3; }' >idle.c
cat >main.c <<'END'
#include <sys/wait.h>
#include <unistd.h>

int work(int), other(int), idle(void);

int main(void)
{
	if (fork() == 0)
		_exit(!other(60));
	return !(wait(0) > 0 && idle() + work(60));
}
END
for name in work other idle; do
	cc -g -O -shared -fPIC -o lib$name.so $name.c
done
cc -g -o main main.c -L. -lwork -lother -lidle -Wl,-rpath,"$PWD"

# copies EXPERIMENT: list the copies of our own files.
copies() {
	sed -n 's/^\(copied\|unverified\) \([^ ]*\) .* [0-9a-f]\{32\} -$/\2/p' "$1/archives/manifest" |
		grep "^$PWD/" | sed 's|.*/||' | LC_ALL=C sort | tr '\n' ' '
}

collect -p on -A off -o test.1.er ./main 2>err
is $? 0 "a program that forks is recorded"
cp -a test.1.er founder.er
er_archive -a usedcopy test.1.er 2>err
is "$? $(cat err)" "0 " "and archived"
is "$(copies test.1.er)" "libother.so libwork.so main " \
	"objects in which the founder or its child worked are copied"
is "$(find test.1.er/archives -name '*.archive' | wc -l)" \
	"$(sed 1d test.1.er/archives/manifest | grep -vc '^debug')" "everything is described"
is "$(grep "/libidle.so " test.1.er/archives/manifest | cut -d' ' -f1)" described \
	"so are objects without recorded addresses"
er_archive -a usedcopy --check test.1.er
is $? 0 "which is complete for -a usedcopy"
er_archive --check test.1.er 2>err
is "$? $(grep -c "missing '$PWD/libidle.so'" err)" "1 1" "but not for -a copy"
is "$(er_archive -a usedldobjects -v test.1.er | cut -d' ' -f1 | uniq)" present \
	"another run finds everything present"

er_archive -n -a usedcopy founder.er
is "$(copies founder.er)" "libwork.so main " "with -n only objects in which the founder worked are copied"
er_archive -a usedcopy "founder.er/_f1.er"
is "$(copies founder.er)" "libother.so libwork.so main " "a descendant adds the objects in which it worked"
mv libidle.so away
er_archive -a usedcopy -F founder.er 2>err
is "$? $(grep -c "warning: '$PWD/libidle.so': kept" err)" "0 1" "a description is kept by -F"
mv away libidle.so

collect -p on -A usedcopy -o auto.er ./main 2>err
is "$? $(copies auto.er)" "0 libother.so libwork.so main " "collect -A usedcopy does it at the end"

mkdir plain
cp -a test.1.er plain/
rm -r plain/test.1.er/archives
er_export -o bundle.tar.zst -a usedcopy plain/test.1.er 2>err
mkdir there
er_import -C there bundle.tar.zst
is "$(copies there/test.1.er)" "libother.so libwork.so main " "er_export takes the same into a bundle"

# A damaged data file may hide the use of an object.
rm -r test.1.er/archives
mkdir cut.er
cp -a test.1.er/. cut.er
dd if=/dev/urandom of=cut.er/profile bs=4096 seek=1 count=2 conv=notrunc 2>/dev/null
er_archive -a usedcopy cut.er 2>err
is "$? $(grep -c "warning: 'cut.er': some load objects it uses may be missed: profile" err)" "0 1" \
	"damaged data are reported"

if command -v gp-archive >/dev/null; then
	gp-collect-app -a off -p on -o theirs.er ./main >/dev/null 2>&1
	cp -a theirs.er ours.er
	gp-archive -a usedldobjects theirs.er >/dev/null 2>&1
	er_archive -a usedcopy ours.er
	is "$(cd ours.er/archives && ls -I '*.archive' -I '*.debug_*' -I manifest)" \
		"$(ls theirs.er/archives)" \
		"gp-archive copies the same objects of its experiment"
	gp-display-text -functions theirs.er >theirs
	rm main lib*.so
	gp-display-text -functions ours.er >ours
	is "$(grep -c other ours)" "$(grep -c other theirs)" "and gp-display-text reads ours"
else
	skip "gprofng is not installed" "gp-archive copies the same objects of its experiment"
fi
done_testing
