#!/bin/sh
# The functions for recorded programs: from C without a library, C++ and Fortran, and with gprofng's library
# and collector in place of ours.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

api=$TOP/collector/api
link="-L$BUILD/lib -Wl,-rpath,$BUILD/lib"

labels() { # EXPERIMENT: of the samples, without the collector's own
	tr '\0' '\n' <"$1/log.xml" | sed -n 's/.*kind="sample".*label="\(.*\)".*/\1/p' |
		grep -v -e '^periodic$' -e '^collector_' | xargs -d '\n' printf '%s;'
}

# works NAME LABELS: the program behaves the same with and without the collector, and has these samples.
works() {
	as_alone "$1" "./$1"
	is "$(labels recorded.er)" "$2" "$1: its samples"
	check "$1: the reader has no complaint" is_clean recorded.er
}

cat >macros.c <<'END'
#include <libcollector.h>
#include <stdio.h>
static char code[16];
static Lineno lines[] = { { 0, 1 }, { 4, 2 } };
int main(void)
{
	collector_sample("by a macro");
	collector_pause();
	collector_thread_pause(pthread_self());
	collector_thread_resume(pthread_self());
	collector_resume();
	collector_func_load("f", NULL, "f.c", code, 16, 2, lines);
	collector_func_unload(code);
	collector_terminate_expt();
	collector_sample("never");
	return puts("done") < 0;
}
END
check "macros need no library" cc -Wall -Werror -fPIE -pie -I"$api" -o macros macros.c
works macros 'by a macro;'
check "nor in C++" c++ -Wall -Werror -x c++ -I"$api" -o macros macros.c
works macros 'by a macro;'
check "disabled, they expand to nothing" cc -fno-pie -no-pie -I"$api" -o macros macros.c
check "and the program runs" ./macros

sed 's/libcollector.h/collectorAPI.h/' macros.c >functions.c
# shellcheck disable=SC2086
check "a static program" cc -static -I"$api" -o functions functions.c "$BUILD/lib/libcollectorAPI.a"
is "$(./functions)" 'done' "runs, and nothing is recorded"

# A library that the program opens later.
sed 's/int main(void)/int work(void)/' functions.c >plugin.c
cat >opener.c <<'END'
#include <dlfcn.h>
int main(void)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
	int (*work)(void) = plugin ? (int (*)(void))dlsym(plugin, "work") : 0;
	return work ? work() : 1;
}
END
# shellcheck disable=SC2086
cc -shared -fPIC -I"$api" -o plugin.so plugin.c $link -lcollectorAPI && cc -o opener opener.c
works opener 'by a macro;'

# The collector is loaded later: there is nothing to record, but the functions are found.
cat >late.c <<'END'
#include <collectorAPI.h>
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *opened;
	collector_sample("before");
	opened = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
	collector_sample("after");
	return printf("%d\n", opened != NULL) < 0;
}
END
cat >standin.c <<'END'
#include <stdio.h>
void __collector_sample(const char *name) { printf("sample %s\n", name); }
END
mkdir standin
# shellcheck disable=SC2086
cc -I"$api" -o late late.c $link -lcollectorAPI && cc -shared -fPIC -o standin/libcollector.so standin.c
is "$(./late "$PWD/standin/libcollector.so" | xargs)" 'sample after 1' \
	"a collector that is opened later is found by the next call"
is "$(./late "$library" | xargs)" 1 "the real one, opened so, records nothing"

if command -v gfortran >/dev/null; then
	cat >fixed.f <<'END'
      program fixed
      implicit none
      include "libfcollector.h"
      character*300 long
      long = repeat("0", 299) // "7"
      call collector_sample("in Fortran   ")
      call collector_pause()
      call collector_resume
      call collector_sample(long)
      call collector_sample("")
      call collector_terminate_expt
      call collector_sample("never")
      print *, "done"
      end
END
	for form in '' -fsecond-underscore; do
		# shellcheck disable=SC2086
		check "Fortran, fixed form $form" gfortran $form -I"$api/fortran" -o fixed fixed.f $link -lfcollector
		works fixed "in Fortran;$(printf '%.255s' "$(printf '%0299d' 0)");;"
	done
	check "Fortran, free form" gfortran -I"$api/fortran" -o steps "$api/examples/steps.f90" \
		-L"$BUILD/lib" -Wl,-rpath,"$BUILD/lib" -lfcollector
	works steps 'input is read;summed;'
	is "$(nm -D --defined-only "$BUILD/lib/libfcollector.so" | grep -c -w -e COLLECTOR_SAMPLE -e COLLECTOR_PAUSE \
		-e COLLECTOR_RESUME -e COLLECTOR_TERMINATE_EXPT)" 4 "and compilers that write names in capitals"
else
	skip 'gfortran is not installed' 'Fortran'
fi

# shellcheck disable=SC2086
cc -I"$api" -o functions functions.c $link -lcollectorAPI
if command -v gprofng >/dev/null; then
	gprofng collect app -o theirs.er ./functions >/dev/null 2>&1
	is "$(labels theirs.er)" 'by a macro;' "gprofng's collector is found, too"
fi
theirs=$(find /usr/lib -name libgp-collectorAPI.so 2>/dev/null | head -n 1)
if [ "$theirs" ]; then
	sed '/collector_thread/d' functions.c >common.c
	cc -I"$api" -o common common.c "$theirs" -Wl,-rpath,"$(dirname "$theirs")"
	works common 'by a macro;'
else
	skip 'gprofng has no such library here' 'a program linked with it is recorded'
fi

done_testing
