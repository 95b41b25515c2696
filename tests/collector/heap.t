#!/bin/sh
# Heap tracing: the leaks found are exact to the block, and programs behave as without it.
. "$TOP/tests/lib/tap.sh"

programs=$BUILD/tests/collector/programs

# traced NAME COMMAND...: exit status, output and errors are those of the command alone.
traced() {
	traced_name=$1
	shift
	"$@" >alone.out 2>alone.err </dev/null
	echo "status $?" >>alone.out
	rm -rf test.er
	collect -A off -p off -H on -o test.er "$@" >recorded.out 2>recorded.err </dev/null
	echo "status $?" >>recorded.out
	sed -i '/^collect: recording to /d' recorded.err
	if cmp -s alone.out recorded.out && cmp -s alone.err recorded.err; then
		ok 0 "$traced_name: behaves as alone"
	else
		ok 1 "$traced_name: behaves as alone"
		diff alone.out recorded.out | sed 's/^/# /' | head -20
		diff alone.err recorded.err | sed 's/^/# /' | head -20
	fi
}

# functions READER: "LEAKS BYTES NAME" of each function of the experiment, with all it calls.
functions() {
	"$1" -name short -metrics i.heapleakcnt:i.heapleakbytes -functions test.er 2>/dev/null |
		sed -n 's/^ *\([0-9]\{1,\}\)  *\([0-9]\{1,\}\)  *\([^ <].*\)$/\1 \2 \3/p'
}

# leaks_as_named NAME COUNT: COUNT functions called leak_WORDS_BLOCKS_BYTES leak what their names say.
leaks_as_named() {
	functions er_print | grep ' leak_' >leaks.txt
	is "$(wc -l <leaks.txt)" "$2" "$1: all its functions are there"
	is "$(sed 's/^\([0-9]*\) \([0-9]*\) leak_.*_\([0-9]*\)_\([0-9]*\)$/\1 \2, \3 \4/' leaks.txt |
		awk -F', ' '$1 != $2')" "" "$1: each leaks what its name says"
	if command -v gp-display-text >/dev/null; then
		is "$(functions gp-display-text | grep ' leak_' | sort)" "$(sort leaks.txt)" \
			"$1: gprofng's reader says the same"
	fi
}

# is_leaf FUNCTION: no recorded function was called by it.
is_leaf() {
	er_print -name short -metrics e.heapalloccnt -csingle "$1" test.er >callees.txt 2>&1
	check "$1 is a leaf" grep -q 'No Callees' callees.txt
}

traced "malloc and its like" "$programs/leaks" everything
leaks_as_named "malloc and its like" 10
for leaf in malloc calloc realloc reallocarray memalign aligned_alloc posix_memalign valloc \
	pvalloc; do
	is_leaf "$leaf"
done
is "$(er_export --text --only=heap test.er 2>/dev/null | grep -c '^heaptrace.* HTYPE=2 .*HOVADDR=0x[1-9a-f]')" \
	"$(er_export --text --only=heap test.er 2>/dev/null | grep -c '^heaptrace.* HTYPE=2 ')" \
	"realloc is recorded with the old block"
is "$(er_export --text --only=heap test.er | grep -c 'HVADDR=0x0')" 0 "failed calls are not recorded"

traced "mappings" "$programs/leaks" mappings
leaks_as_named "mappings" 5
for leaf in mmap mmap64 mremap; do
	is_leaf "$leaf"
done
is "$(er_print -heapstat test.er | sed -n 's/^Largest leaked bytes *//p')" 5368709120 \
	"sizes beyond 4 GiB are exact"

for round in 1 2 3; do
	traced "threads, $round" "$programs/leaks" threads
	leaks_as_named "threads, $round" 1
done

traced "ends of threads" "$programs/leaks" ends
leaks_as_named "ends of threads" 2

traced "C++" "$programs/operators"
leaks_as_named "C++" 8
for leaf in 'operator new' 'operator new[]'; do
	is_leaf "$leaf"
done

# ---- blocks of some sizes only ----

cat >sizes.c <<'EOF'
#include <stdlib.h>
static void *volatile kept;
int main(void)
{
	for (size_t size = 990; size < 1010; size++)
		kept = malloc(size);
	kept = realloc(malloc(1000), 5000); /* leaves the range */
	kept = realloc(malloc(5000), 1000); /* comes into it */
	return 0;
}
EOF
if cc -O1 -o sizes sizes.c 2>/dev/null; then
	# leaked SIZES: the leaks of main.
	leaked() {
		rm -rf test.er
		collect -A off -p off -H "$1" -o test.er ./sizes 2>/dev/null
		functions er_print | sed -n 's/ main$//p'
	}
	is "$(leaked 1000)" "12 16045" "-H 1000: blocks of 1000 bytes and more"
	is "$(leaked 995-1000)" "7 6985" "-H 995-1000: only blocks of these sizes"
	is "$(er_print -header test.er | grep 'only blocks')" "Heap tracing: only blocks of 995 to 1000 bytes" \
		"and the header says so"
	is "$(gp-display-text -header test.er | grep -c 'only blocks')" 1 "to gprofng's reader, too"
else
	skip "no compiler" "blocks of some sizes"
fi
for sizes in 2-1 x 1-x 1- -5 0-0 1-2-3; do
	collect -n -H "$sizes" true >/dev/null 2>message
	is "$? $(cat message)" \
		"2 collect: -H: invalid argument '$sizes': use on, off, a block size in bytes like 4096, or a range like 16-1024" \
		"-H $sizes is refused"
done

# ---- the collector's own memory ----

# The list of this many objects is reallocated twice.
if cc -shared -o libmany.so -x c /dev/null 2>/dev/null; then
	for i in $(seq 150); do cp libmany.so "many.$i.so"; done
	rm -rf test.er
	is "$(collect -A off -p off -H on -o test.er "$programs/loading" keep ./many.*.so 2>/dev/null)" \
		"failed 0" "a program loads many objects"
	is "$(functions er_print | grep -c ' _dl_new_object$')" 1 "allocations of the loader belong to the program"
	is "$(er_print -leaks test.er | grep -c '^  mmap')" 0 "the list of them is not a leak of the program"
	rm -f many.*.so
else
	skip "no compiler" "a program loads many objects"
fi

# ---- descendants, and other data at the same time ----

rm -rf test.er
collect -A off -p on -H on -o test.er sh -c "$programs/leaks everything & $programs/leaks mappings; wait" \
	2>/dev/null
is "$(functions er_print | grep -c ' leak_')" 15 "descendants are traced, with the clock on as well"
is "$(er_print -metrics i.heapleakcnt:i.heapleakbytes -functions test.er |
	awk '$NF ~ /^leak_in_libc/ { print $1, $2 }')" "1 6" "and their leaks are theirs"
rm -rf test.er
collect -A off -p off -H on -F off -o test.er sh -c "$programs/leaks everything; true" 2>/dev/null
is "$(find test.er -name '_*.er')" "" "with -F off they are not"

# ---- what programs do with malloc ----

# A program in C that loads a library in C++, with the operators in a library of their own, or in it.
cat >extra.cc <<'EOF'
#include <new>
#include <string>
static void *volatile kept;
extern "C" void leak_in_library_1_99()
{
	kept = operator new(99);
	std::string text(1000, 'x');
	kept = &text;
}
EOF
cat >loads.c <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	void *library = dlopen("./extra.so", RTLD_NOW | RTLD_LOCAL);
	void (*leak)(void) = library ? (void (*)(void))dlsym(library, "leak_in_library_1_99") : 0;

	if (!leak)
		return 1;
	leak();
	if (dlsym(library, "nothing") || !dlerror())
		return 2;
	puts("loaded");
	return 0;
}
EOF
for option in -shared "-shared -static-libstdc++ -static-libgcc"; do
	# shellcheck disable=SC2086 # two options
	if ${CXX:-c++} $option -fPIC -O1 -o extra.so extra.cc 2>/dev/null &&
		${CC:-cc} -O1 -o loads loads.c -ldl; then
		traced "C++ loaded by C, $option" ./loads
		leaks_as_named "C++ loaded by C, $option" 1
	else
		skip "it cannot be built here" "C++ loaded by C, $option"
	fi
done

for sanitizer in address thread; do
	if ${CC:-cc} -D_GNU_SOURCE -O1 -fsanitize=$sanitizer -pthread -I"$TOP" -I"$TOP/tests/collector/programs" \
		-o sanitized "$TOP/tests/collector/programs/leaks.c" 2>/dev/null &&
		ASAN_OPTIONS=detect_leaks=0 ./sanitized threads 2>/dev/null; then
		ASAN_OPTIONS=detect_leaks=0 traced "$sanitizer sanitizer" ./sanitized threads
		is "$(functions er_print | grep -c '^8 264 leak_in_threads')" 1 \
			"$sanitizer sanitizer: its leaks are known"
	else
		skip "it does not work on this system" "$sanitizer sanitizer"
	fi
done

# ---- the first realloc in dlerror() ----

cat >failing.c <<'EOF'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *blocks[8];
	for (int i = 0; i < 8; i++)
		blocks[i] = malloc(24);
	dlopen("/none/x.so", RTLD_NOW);
	for (int i = 0; i < 4; i++)
		free(blocks[i]);
	if (!strstr(dlerror(), "/none/x.so"))
		return 1;
	for (int i = 0; i < 4; i++)
		blocks[i] = memset(malloc(24), i, 24);
	for (int i = 0; i < 8; i++)
		free(blocks[i]);
	return puts("done") < 0;
}
EOF
cc -o failing failing.c
is "$(collect -H on -A off -o failing.er ./failing 2>/dev/null)" 'done' 'dlerror() may be the first to call realloc'

# ---- whole programs ----

cat >hello.c <<'EOF'
#include <stdio.h>
int main(void) { printf("hello\n"); return 0; }
EOF
head -c 2000000 "$(command -v er_print)" >data
cat >Sum.java <<'EOF'
public class Sum { public static void main(String[] a) { int s = 0; for (int i = 0; i < 1000; i++) s += ("" + i).length(); System.out.println(s); } }
EOF
# whole PROGRAM COMMAND...
whole() {
	whole_program=$1
	shift
	if command -v "$whole_program" >/dev/null; then
		traced "$whole_program" "$@"
		is "$(er_print -heapstat test.er 2>&1 >/dev/null)" "" \
			"$whole_program: the experiment is read without complaint"
	else
		skip "it is not installed" "$whole_program"
	fi
}
whole gcc gcc -O2 -o hello hello.c
whole python3 python3 -c 'import json, threading, subprocess
lines = [json.dumps({"a": i}) for i in range(2000)]
threads = [threading.Thread(target=lambda: [json.loads(line) for line in lines]) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(lines), subprocess.run(["echo", "hello"], capture_output=True).stdout)'
# shellcheck disable=SC2016 # for them to expand
whole bash bash -c 'for i in 1 2 3; do x=$(echo $i | sed s/1/2/); a+=($x); done; echo "${a[@]}"'
whole xz sh -c 'xz -T2 -1 -c data | xz -T2 -d | cmp - data && echo same'
# shellcheck disable=SC2016
whole perl perl -e 'my %h; $h{$_ % 100} .= $_ for 1 .. 20000; print length(join "", values %h), "\n"'
whole java java Sum.java

done_testing
