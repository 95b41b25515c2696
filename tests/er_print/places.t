#!/bin/sh
# shellcheck disable=SC2317 # check runs the functions
# Load objects that are not where they were when they were recorded.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/ticks.sh
. "$TOP/tests/lib/ticks.sh"

mkdir -p here there/deep other
cat >prog.c <<-END
	volatile double sink;
	__attribute__((noinline)) static void burn(void)
	{
		for (int i = 0; i < 1000; i++)
			sink = sink * 1.01 + 0.5;
	}
	int main(void)
	{
		for (int i = 0; i < 100000; i++)
			burn();
		return 0;
	}
END
gcc -g -O1 -Wl,--build-id -o here/prog prog.c
with_ticks 10 test.1.er collect -A off -o test.1.er here/prog
# Files are printed by their paths, or where they were found instead.
without_places() {
	sed 's/ (found as .*)$//; s,^\(Source file\|Object file\|Load Object\): .*/,\1: ,'
}
er_print -functions -disasm burn test.1.er 2>err | without_places >whole

has_names() {
	er_print "$@" -functions test.1.er 2>err | grep -q ' burn$'
}
has_none() {
	! has_names "$@"
}
shows_all() {
	er_print "$@" -functions -disasm burn test.1.er 2>err | without_places | cmp - whole
}
warns() { # TEXT OPTION...
	text=$1
	shift
	er_print "$@" -objects test.1.er 2>&1 | grep -q "Warning: $text"
}
mv here/prog there/deep/prog
rm -rf test.1.er/archives/*
check "a file that is gone has no names" has_none
check "it is said" warns "cannot open '.*/here/prog'"
check "addpath finds it" shows_all -addpath "$PWD/there/deep"
check "nothing is said on standard error" test ! -s err
check "setpath finds it" shows_all -setpath "/nowhere:there/deep"
check "pathmap finds it" shows_all -pathmap "$PWD/here" "$PWD/there/deep"
check "a map of other paths does not" has_none -pathmap "$PWD/her" "$PWD/there/deep"
check "directories below one are not searched" has_none -addpath "$PWD/there"

sed 's/1\.01/1.02/' prog.c >changed.c
gcc -g -O1 -Wl,--build-id -o other/prog changed.c
check "another build is not taken" has_none -addpath other
check "it is said which" warns "'other/prog' is not the file that was recorded" -addpath other
check "the next place is tried" shows_all -addpath "other:there/deep"
ln -sf ../there/deep/prog other/prog
check "links in these places are followed" shows_all -addpath other
rm other/prog
mkfifo other/prog
check "a pipe is not waited for" has_none -addpath other
cp prog.c here/prog
check "a file at the path that is another one does not hide it" shows_all -addpath there/deep
echo "addpath $PWD/there/deep" >.er.rc
check ".er.rc may name the place" shows_all
rm .er.rc

printf 'addpath there/deep\nfunctions\nquit\n' >script
er_print -script script test.1.er 2>err | grep -q ' burn$'
ok $? "a command in a script names it before the first table"
done_testing
