#!/bin/sh
# The installed programs work where they are installed, and uninstall removes everything again.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

here=$PWD
check "make install" make -s -C "$TOP" install BUILD="$BUILD" PREFIX=/opt/erkit DESTDIR="$here/root"
prefix=$here/root/opt/erkit
for program in collect er_archive er_cp er_mv er_rm er_export er_html er_import er_kernel er_print tha; do
	check "$program runs" "$prefix/bin/$program" -V
	check "$program has a manual" test -s "$prefix/share/man/man1/$program.1"
	check "bash can complete it" test -s "$prefix/share/bash-completion/completions/$program"
done
"$prefix/bin/collect" -R >readme
{ "$prefix/bin/collect" -V; echo; cat "$TOP/README.md"; } >expected
check "collect -R shows the README" cmp readme expected
mv "$prefix/share/doc/erkit/README.md" away
"$prefix/bin/collect" -R p q >readme 2>message
is "$? $(cat readme message)" "0 $(head -n 1 expected)

collect: warning: cannot open '$prefix/share/doc/erkit/README.md': No such file or directory" \
	"without it there is a warning"
mv away "$prefix/share/doc/erkit/README.md"
is "$(cd "$prefix/share/man" && find . -type f | grep -v '/man[135]/[a-z_]*\.[135]$')" "" "nothing but manuals is among them"
check "and zsh all of them" cmp "$TOP/completions/_erkit" "$prefix/share/zsh/site-functions/_erkit"
check "the collector's library is there" test -s "$prefix/lib/erkit/libcollector.so"
cat >use.c <<'END'
#include <libexpt/expt.h>
int main(void) { return expt_name_is_experiment("test.1.er") ? 0 : 1; }
END
# A sanitized variant of the library needs the sanitizers here, too.
sanitizers=
nm "$BUILD/lib/libexpt.a" 2>/dev/null | grep -q __asan_init && sanitizers=-fsanitize=address,undefined
# shellcheck disable=SC2086
check "programs can be built against libexpt" cc $sanitizers -I"$prefix/include" -o use use.c -L"$prefix/lib" -lexpt
check "and run" env LD_LIBRARY_PATH="$prefix/lib" ./use
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
is "$(pkg-config --variable=prefix libexpt)" /opt/erkit "the pkg-config file knows the prefix"
is "$(pkg-config --libs collectorAPI | xargs)" '-L/opt/erkit/lib -lcollectorAPI' "and the one of collectorAPI names the library"
check "the libraries for recorded programs have their names" test -s "$prefix/lib/libcollectorAPI.a" -a \
	-s "$prefix/lib/libcollectorAPI.so" -a -s "$prefix/lib/libfcollector.a" -a -s "$prefix/lib/libfcollector.so"
check "and a manual" test -s "$prefix/share/man/man3/libcollector.3"
examples=$TOP/collector/api/examples
check "an example in C" cc -I"$prefix/include" -o phases "$examples/phases.c" -L"$prefix/lib" -lcollectorAPI
check "in C++" c++ -I"$prefix/include" -o generated "$examples/generated.cc" -L"$prefix/lib" -lcollectorAPI
# shellcheck disable=SC2016 # for that shell
check "and in Fortran, as libcollector(3) says" sh -c 'api() { pkg-config --define-variable=prefix="$prefix" "$@" collectorAPI; }
	prefix=$1
	gfortran -I$(api --variable=includedir) -o steps "$2/steps.f90" $(api --libs)' sh "$prefix" "$examples"
check "with a library of its own name, too" gfortran -I"$prefix/include" -o steps "$examples/steps.f90" \
	-L"$prefix/lib" -lfcollector
LD_LIBRARY_PATH=$prefix/lib
export LD_LIBRARY_PATH
for program in phases generated steps; do
	check "$program runs without a collector" ./$program
	check "and with it" "$prefix/bin/collect" -o $program.er ./$program
	check "which has its samples" sh -c "'$prefix/bin/er_print' -sample_detail $program.er | grep -q 'input is read'"
done

check "the commands of gdb are there" test -s "$prefix/lib/erkit/gdb/collector.py" -a \
	-s "$prefix/share/gdb/auto-load/opt/erkit/lib/erkit/libcollector.so-gdb.py"

PATH=$prefix/bin:$PATH
check "the installed collect records" "$prefix/bin/collect" -A off -o x.1.er /bin/true
check "and er_print reads it" "$prefix/bin/er_print" -header x.1.er

check "make uninstall" make -s -C "$TOP" uninstall BUILD="$BUILD" PREFIX=/opt/erkit DESTDIR="$here/root"
is "$(find "$here/root" -type f -o -type l)" "" "nothing is left"

if [ "$(id -u)" = 0 ]; then
	check "make install, not for a package" make -s -C "$TOP" install BUILD="$BUILD" PREFIX="$here/own" DESTDIR= \
		LDCONFIG="touch $here/told"
	check "the dynamic loader is told" test -e told
	if command -v gdb >/dev/null; then
		gdb -nx -q -batch -ex "source own/lib/erkit/gdb/collector.py" -ex 'collector version' >version 2>&1
		check "gdb has its commands" grep -qx "libcollector.so (erkit) .*, '$here/own/lib/erkit/libcollector.so'" version
		"$here/own/bin/collect" -A off -o in_gdb.1.er sleep 100 2>said &
		pid=$!
		until grep -q recording said; do sleep 0.1; done
		sleep 0.2
		gdb -nx -q -batch -iex "add-auto-load-safe-path $here/own" \
			-iex "add-auto-load-scripts-directory $here/own/share/gdb/auto-load" -p $pid \
			-ex 'collector status' >status 2>&1
		check "and loads them with the library" grep -q 'state  *recording' status
		kill $pid
	else
		skip "there is no gdb" "its commands"
	fi
	rm -f told
	check "make install, for a package" make -s -C "$TOP" install BUILD="$BUILD" PREFIX=/usr DESTDIR="$here/package" \
		LDCONFIG="touch $here/told"
	check "it is not" test ! -e told
else
	skip "not root" "the dynamic loader"
fi
done_testing
