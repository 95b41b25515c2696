#!/bin/sh
# Files that are no longer where they were recorded, but where .er.rc says.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

HOME=$PWD/home
export HOME
mkdir -p home build/sub kept other deep/store
library build/a.so 1
library build/b.so 2
library other/a.so 9
experiment first.er
printf '<event kind="run" tstamp="5.000000000" time="%s"/>\n' "$(date +%s)" >first.er/log.xml
segment first.er "$PWD/build/a.so" "$(identity build/a.so)"
segment first.er "$PWD/build/b.so" "$(identity build/b.so)"
fresh() {
	rm -rf test.1.er deep/store/test.1.er
	cp -a first.er test.1.er
}
archived() {
	sed -n 's/^copied [^ ]* \([^ ]*\) .*/\1/p' "$1/archives/manifest" | sed "s|^$PWD/||" |
		tr '\n' ' '
}
mv build/a.so build/b.so kept

fresh
er_archive test.1.er 2>err
is "$? $(grep -c missing err)" "1 2" "without .er.rc they are missing"

echo "addpath $PWD/other:$PWD/kept" >home/.er.rc
fresh
er_archive test.1.er 2>err
is "$? $(cat err)" "0 " "addpath names the places to look"
is "$(archived test.1.er)" "kept/a.so kept/b.so " "another file of that name is not archived"
check "the copy has the name of the recorded path" cmp kept/a.so "$(stored test.1.er a.so)"
er_archive test.1.er 2>err
is "$? $(cat err)" "0 " "another run finds nothing missing"

echo "pathmap $PWD/build $PWD/kept" >home/.er.rc
fresh
er_archive test.1.er 2>err
is "$? $(archived test.1.er)" "0 kept/a.so kept/b.so " "pathmap maps beginnings of paths"
echo "pathmap $PWD/bui $PWD/kept" >home/.er.rc
fresh
er_archive test.1.er 2>err
is "$? $(grep -c missing err)" "1 2" "but whole components only"

printf '# places\nADDPATH "%s"\n\nfunctions\nlimit 5\n' "$PWD/other" >home/.er.rc
echo "addpath $PWD/kept" >.er.rc
fresh
er_archive test.1.er 2>err
is "$? $(cat err)" "0 " "those of home and of the current directory add up"
echo "setpath $PWD/other" >.er.rc
echo "addpath $PWD/kept" >home/.er.rc
fresh
er_archive test.1.er 2>err
is "$? $(grep -c missing err)" "1 2" "setpath forgets what came before"
rm .er.rc home/.er.rc

echo "addpath kept" >deep/store/.er.rc
cp -a first.er deep/store/test.1.er
er_archive deep/store/test.1.er/ 2>err
is "$? $(archived deep/store/test.1.er)" "0 kept/a.so kept/b.so " \
	"the directory that holds the experiment can have one"
mkdir deep/store/test.1.er/_f1.er
cp first.er/*.xml deep/store/test.1.er/_f1.er
rm -r deep/store/test.1.er/archives
er_archive deep/store/test.1.er/_f1.er 2>err
is "$? $(archived deep/store/test.1.er)" "0 kept/a.so kept/b.so " "so it is for a descendant"

printf 'pathmap one\naddpath\n' >.er.rc
fresh
er_archive test.1.er 2>err
is "$(head -n 2 err)" "er_archive: warning: './.er.rc': line 1: wrong number of arguments for 'pathmap'
er_archive: warning: './.er.rc': line 2: wrong number of arguments for 'addpath'" "lines that are wrong are named"

# Source files, too.
cat >build/sub/main.c <<'END'
int main(void)
{
	return 0;
}
END
cc -g -o prog build/sub/main.c
cp prog kept
experiment src.er
touch -d '1 minute ago' build/sub/main.c
cp first.er/log.xml src.er
segment src.er "$PWD/prog" "$(identity prog)"
mv build away
echo "pathmap $PWD/build $PWD/away" >.er.rc
er_archive -a src -m "^$PWD/" src.er 2>err
is "$? $(sed -n 's/^source \([^ ]*\) \([^ ]*\) .*/\1 \2/p' src.er/archives/manifest)" \
	"0 $PWD/build/sub/main.c $PWD/away/sub/main.c" "source files are found, too"
check "under the name of their path" cmp away/sub/main.c "$(stored src.er main.c)"
done_testing
