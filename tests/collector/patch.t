#!/bin/sh
# Tracing in a program that runs already: libraries that come late see the calls of every kind of program, as many
# as it makes; and at the end each slot is as it was.
. "$TOP/tests/lib/tap.sh"

libraries=$BUILD/lib/erkit
sources=$TESTDIR/patch
programs=$BUILD/tests/collector/programs
all="$libraries/libcollector.so $libraries/libcollector-heap.so $libraries/libcollector-sync.so $libraries/libcollector-io.so"

# late COMMAND...: it begins the recording of test.er itself.
late() {
	rm -rf test.er && mkdir test.er || return 125
	env LATE_SP_COLLECTOR_EXPNAME="$PWD/test.er" LATE_SP_COLLECTOR_PARAMS='p:off;H:;s:0,n;i:;a:off;S:1;F:0;' \
		LATE_SP_COLLECTOR_PRELOAD="$all" "$@"
}

# calls FUNCTION [EXPERIMENT]: the blocks allocated, writes and waits in it.
calls() {
	er_print -metrics i.heapalloccnt:i.iowritecnt:i.syncn -functions "${2:-test.er}" |
		awk -v name="$1" '$NF == name { print $1, $2, $3 }'
}

build() { # OPTIONS...
	${CC:-cc} -O1 -D_GNU_SOURCE "$@" 2>build.err
}

if ! build -shared -fPIC -o late.so "$sources/late.c" -ldl; then
	cat build.err
	skip "no compiler" "tracing after attach"
	done_testing
fi

# ---- kinds of programs and modules ----

# situation NAME KIND OPTIONS...: the program, which is of this kind, a library and a module built so.
situation() {
	situation=$1
	kind=$2
	shift 2
	rm -f calls libown.so module.so
	if ! build "$@" -fPIC -shared -DPLACE_OF_MODULE=library -o libown.so "$sources/module.c" ||
		! build "$@" -fPIC -shared -DPLACE_OF_MODULE=module -o module.so "$sources/module.c" ||
		! build "$kind" "$@" -o calls "$sources/calls.c" -L. -lown -Wl,-rpath,"$PWD" -pthread -ldl; then
		skip "it cannot be built here" "$situation"
		return
	fi
	for modules in "./module.so before,now" "./module.so during,now" "./module.so during,lazy" \
		"./module.so before,lazy,closed ./module.so during,lazy ./module.so during,now"; do
		# shellcheck disable=SC2086 # several words
		late ./calls "$PWD/test.er" $modules >printed
		is "$? $(cat printed)" "0 0 slots changed" "$situation, $modules: all slots are as before"
		number=$(echo "$modules" | grep -o module.so | wc -l)
		is "$(calls calls_in_program) $(calls calls_in_library) $(calls calls_in_module)" \
			"30 10 20 30 10 20 $((30 * number)) $((10 * number)) $((20 * number))" \
			"$situation, $modules: all calls are recorded"
		is "$(calls calls_in_before)$(calls calls_in_after)" "" "$situation, $modules: and no others"
	done
}

situation "PIE, bound when called" -pie -Wl,-z,lazy
situation "PIE, bound at the start" -pie -Wl,-z,now
situation "not PIE, bound when called" -no-pie -Wl,-z,lazy
situation "not PIE, bound at the start" -no-pie -Wl,-z,now
situation "without PLT" -pie -fno-plt
situation "not PIE, without PLT" -no-pie -fno-plt
situation "without read-only slots" -pie -Wl,-z,norelro
situation "with marks for indirect branches" -pie -fcf-protection=full -Wl,-z,ibtplt -Wl,-z,lazy
situation "with the old hash table" -pie -Wl,--hash-style=sysv -Wl,-z,lazy
situation "linked by lld" -pie -fuse-ld=lld -Wl,-z,lazy
situation "linked by gold" -pie -fuse-ld=gold -Wl,-z,lazy
situation "linked by mold" -pie -fuse-ld=mold -Wl,-z,lazy
situation "linked by mold, not PIE" -no-pie -fuse-ld=mold -Wl,-z,lazy

# ---- other definitions ----

build -o own "$sources/own.c" "$sources/own_malloc.c" -pthread -ldl
is "$(late ./own) $(calls calls_in_program)" "30 0 10 20" "malloc of the program's own is left alone"
check "and the log says so" grep -aq 'slots left alone: [0-9]* (functions of the program' test.er/log.xml

build -shared -fPIC -o libownmalloc.so "$sources/own_malloc.c"
build -o own "$sources/own.c" -L. -lownmalloc -Wl,-rpath,"$PWD" -pthread -ldl
is "$(late ./own) $(calls calls_in_program)" "30 30 10 20" "malloc of a library: recorded, and called"

# The program's pointer to malloc is the address in its PLT.
cat >pointer.c <<'END'
#include "late.h"
#include <malloc.h>
static void *volatile block;
void calls_in_program(void *(*allocate)(size_t));
__attribute__((noinline)) void calls_in_program(void *(*allocate)(size_t))
{
	for (int i = 0; i < 30; i++) {
		block = malloc(20);
		block = allocate(20);
	}
}
int main(void)
{
	void *(*volatile pointer)(size_t) = malloc;
	size_t room = malloc_usable_size(malloc(20));
	void *collector = late_begin();

	calls_in_program(pointer);
	printf("%d\n", room == malloc_usable_size(block));
	late_end(collector);
	return 0;
}
END
build -fno-pie -no-pie -I"$sources" -o pointer pointer.c -ldl
is "$(late ./pointer) $(calls calls_in_program)" "1 60 0 0" "a pointer to malloc in a program that is not PIE"
check "and no slot is left alone" test -z "$(grep -a 'slots left' test.er/log.xml)"
for allocator in libjemalloc.so.2 libtcmalloc_minimal.so.4; do
	if build -fno-pie -no-pie -I"$sources" -o pointer pointer.c -Wl,--no-as-needed -l:$allocator -ldl; then
		is "$(late ./pointer) $(calls calls_in_program)" "1 60 0 0" "$allocator is called, and recorded"
	else
		skip "it is not here" "$allocator is called, and recorded"
	fi
done

# A module that is bound to its own library first.
build -shared -fPIC -Wl,-z,lazy -DPLACE_OF_MODULE=module -o deep.so "$sources/module.c" -Wl,--no-as-needed -L. \
	-lownmalloc -Wl,-rpath,"$PWD"
build -shared -fPIC -DPLACE_OF_MODULE=library -o libown.so "$sources/module.c"
build -o calls "$sources/calls.c" -L. -lown -Wl,-rpath,"$PWD" -pthread -ldl
for flags in before,lazy,deep before,now,deep during,lazy,deep during,now,deep; do
	is "$(late ./calls "$PWD/test.er" ./deep.so $flags) $(calls calls_in_module)" "0 slots changed 0 10 20" \
		"RTLD_DEEPBIND, $flags: malloc of the module's own library is left alone"
done

build -fPIE -pie -o versions "$sources/versions.c" -pthread -ldl
is "$(late ./versions)" "0 of 5 failed" "each version of a function has its wrapper"

# ---- slots that are not as the dynamic linker left them ----

build -no-pie -Wl,-z,lazy -Wl,-z,norelro -o odd "$sources/odd.c" -pthread -ldl
is "$(late ./odd hooked) $(calls calls_in_program)" "20 calls 30 0 20" "a call that the program has led elsewhere"
check "and the log says so" grep -aq 'slots left alone: 1 (other functions)' test.er/log.xml
build -shared -fPIC -Wl,-z,lazy -DPLACE_OF_MODULE=module -o swapped.so "$sources/module.c"
build -shared -fPIC -Wl,-z,lazy -I"$sources" -o other.so -x c - <<'END'
#include <stdio.h>
#include "situation.h"
void calls_in_module(int fd)
{
	fflush(stdout);
	if (write(fd, "x", 1) == 1)
		free(malloc(fd + getpid()));
	pthread_self();
}
END
is "$(late ./odd swapped)" "in its place" "another module at the same place keeps its slots"
build -no-pie -Wl,-z,now -Wl,-z,norelro -o odd "$sources/odd.c" -pthread -ldl
is "$(late ./odd closed)" "closed" "slots on pages that the program has closed are left alone"
check "and the log says so" grep -aq 'slots left alone: [0-9]* (on read-only pages)' test.er/log.xml

# ---- threads that make calls, open and close meanwhile ----

build -shared -fPIC -Wl,-z,lazy -DPLACE_OF_MODULE=module -o module.so "$sources/module.c"
build -o busy "$sources/busy.c" -pthread -ldl
for round in 1 2 3; do
	# Each is recorded six times.
	list=$PWD/test.er
	for number in 1 2 3 4 5; do
		rm -rf "more.$number.er" && mkdir "more.$number.er"
		list=$list,$PWD/more.$number.er
	done
	is "$(late ./busy ./module.so "$list"; echo $?)" "0 failed
0" "busy threads, $round: all calls do what they should"
	er_print -functions more.*.er >/dev/null 2>complaints
	is "$(cat complaints)" "" "busy threads, $round: the reader has no complaint"
done

# ---- programs of other tests, recorded from their first function on ----

# whole NAME COMMAND...: behaves as alone.
whole() {
	whole_name=$1
	shift
	"$@" >alone.out 2>alone.err </dev/null
	echo "status $?" >>alone.out
	late env LD_PRELOAD="$PWD/late.so" "$@" >recorded.out 2>recorded.err </dev/null
	echo "status $?" >>recorded.out
	check "$whole_name: behaves as alone" diff alone.out recorded.out
	check "$whole_name: without other messages" diff alone.err recorded.err
}

# leaks_as_named NAME COUNT: as in heap.t.
leaks_as_named() {
	er_print -name short -metrics i.heapleakcnt:i.heapleakbytes -functions test.er 2>/dev/null |
		sed -n 's/^ *\([0-9]\{1,\}\)  *\([0-9]\{1,\}\)  *\(leak_.*\)$/\1 \2 \3/p' >leaks.txt
	is "$(wc -l <leaks.txt) $(sed 's/^\([0-9]*\) \([0-9]*\) leak_.*_\([0-9]*\)_\([0-9]*\)$/\1 \2, \3 \4/' leaks.txt |
		awk -F', ' '$1 != $2')" "$2 " "$1: $2 functions leak what their names say"
}

for situation in "everything 10" "mappings 5" "threads 1" "ends 2"; do
	whole "leaks, ${situation% *}" "$programs/leaks" "${situation% *}"
	leaks_as_named "leaks, ${situation% *}" "${situation#* }"
done
whole "operators of C++" "$programs/operators"
leaks_as_named "operators of C++" 8

cat >extra.cc <<'END'
#include <string>
static void *volatile kept;
extern "C" void leak_in_library_1_99()
{
	kept = operator new(99);
	std::string text(1000, 'x');
	kept = &text;
}
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("./extra.so", RTLD_NOW | RTLD_LOCAL);
		void (*leak)(void) = library ? (void (*)(void))dlsym(library, "leak_in_library_1_99") : 0;

		if (!leak)
			return 1;
		if (i == 0)
			leak();
		dlclose(library);
	}
	puts(dlerror() ? "an error of ours" : "loaded");
	return 0;
}
END
for option in -shared "-shared -static-libstdc++ -static-libgcc"; do
	# shellcheck disable=SC2086 # two options
	if ${CXX:-c++} $option -fPIC -O1 -o extra.so extra.cc 2>/dev/null && build -o loads loads.c -ldl; then
		whole "C++ loaded by C, $option" ./loads
		leaks_as_named "C++ loaded by C, $option" 1
	else
		skip "it cannot be built here" "C++ loaded by C, $option"
	fi
done

whole "I/O" "$programs/io" calls
python3 "$TESTDIR/io_records.py" calls test.er >recorded
sed -i '/^status 0$/d' recorded.out
check "I/O: the calls recorded are those that the program says it made" diff recorded.out recorded

for sanitizer in address thread; do
	if build -fsanitize=$sanitizer -pthread -I"$TOP" -I"$TOP/tests/collector/programs" \
		-o sanitized "$TOP/tests/collector/programs/leaks.c" &&
		ASAN_OPTIONS=detect_leaks=0 ./sanitized threads 2>/dev/null; then
		ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0 whole "$sanitizer sanitizer" ./sanitized threads
	else
		skip "it does not work on this system" "$sanitizer sanitizer"
	fi
done

# The process is recorded three times.
mkdir -p again.2.er again.3.er
late ./calls "$PWD/test.er,$PWD/again.2.er,$PWD/again.3.er" ./deep.so during,now ./deep.so before,closed,now >printed
is "$? $(cat printed)" "0 0 slots changed" "three recordings: all slots are as before each time"
for experiment in test.er again.2.er again.3.er; do
	is "$(calls calls_in_program $experiment) $(calls calls_in_module $experiment)" "30 10 20 60 20 40" \
		"three recordings: all calls are in $experiment"
done

done_testing
