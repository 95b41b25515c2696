#!/bin/sh
# Includes and calls point one way, and each third-party library has a folder that includes it.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
scratch=$PWD
cd "$TOP" || exit 1

# includes FILES...: "file header" pairs
includes() {
	grep -Ho '^#include [<"][^">]*' "$@" 2>/dev/null | sed 's/:#include [<"]/ /'
}

is "$(tests/lib/check-floors "$BUILD" 2>&1)" "" "the tree is as tests/lib/floors says"

bad=$(includes er_*/*.[ch] er_*/*/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/(expt\.h|cli\/|base\/)/')
is "$bad" "" "programs include expt.h, cli and base of libexpt"
bad=$(includes libexpt/cli/*.[ch] libexpt/cli/*/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/(expt\.h|cli\/|base\/|rights\/|common\/pipeline\.h|remote\/remote\.h)/')
is "$bad" "" "so does what they share, its threads, and the steps to another host"
bad=$(includes libexpt/base/*.[ch] | awk '$2 ~ /^libexpt\// && $2 !~ /^libexpt\/base\//')
is "$bad" "" "the base library knows nothing of experiments"
bad=$(includes libexpt/values.h libexpt/format.h |
	awk '$2 ~ /\// && ($2 != "libexpt/values.h" || $1 == $2)')
is "$bad" "" "the headers for both sides need nothing but the values"
bad=$(includes libexpt/expt.h libexpt/api/*.h | awk '$2 ~ /\// && $2 !~ /^libexpt\/(api\/|values\.h)/')
is "$bad" "" "nor does the public one need more than its topics"
bad=$(includes collector/*.[ch] collector/*/*.[ch] |
	awk '$1 !~ /^collector\/(collect|counters|er_kernel|inject|kernel|launch|perf|target|tracee)\// && $2 ~ /^libexpt\// && $2 != "libexpt/format.h"')
is "$bad" "" "the collector includes format.h and nothing else of libexpt"

bad=$(grep -nE '\b(printf|fprintf|puts|perror|exit|abort|chdir|umask|setenv|system|popen)\(' \
	libexpt/*/*.c | grep -v '^libexpt/cli/' | grep -v snprintf | grep -v strbuf_printf | grep -v vprintf)
is "$bad" "" "libexpt does not print, exit or change the process"

# ---- the check itself, on a tree of two floors ----

# make_tree: make a tree without a problem in the current directory
make_tree() {
	rm -rf low high lib tests build
	mkdir -p low high tests/lib
	printf 'low\tbelow\nhigh\tabove\n\tonly-here zstd.h\n' >tests/lib/floors
	echo 'int low_one(void);' >low/one.h
	printf '#include "low/one.h"\nint low_one(void)\n{\n\treturn 1;\n}\n' >low/one.c
	echo 'int low_two(void);' >low/two.h
	printf '#include "low/two.h"\nint low_two(void)\n{\n\treturn 2;\n}\n' >low/two.c
	echo 'int high_one(void);' >high/high.h
	printf '#include "high/high.h"\n#include "low/one.h"\n' >high/high.c
	printf 'int high_one(void)\n{\n\treturn low_one();\n}\n' >>high/high.c
}

# finds TEXT EXPECTED: the check prints these lines for the tree, and fails if there are any
finds() {
	status=0
	for file in */*.c; do
		mkdir -p "build/${file%/*}"
		cc -I. -w -c -o "build/${file%.c}.o" "$file" || return 1
	done
	got=$("$TOP/tests/lib/check-floors" build 2>&1) || status=$?
	is "$status $got" "$([ -z "$2" ]; echo $?) $2" "$1"
}

cd "$scratch" || exit 1
make_tree
finds "a tree whose includes and calls point down is right" ""

echo '#include "high/high.h"' >>low/one.c
finds "an include that points up is found" "include low/one.c high/high.h"

make_tree
echo 'int high_one(void); int low_up(void) { return high_one(); }' >>low/one.c
finds "a call that points up is found, and that it makes a circle" "call low/one.c high/high.c
circle high/high.c
circle low/one.c"

make_tree
echo 'int low_two(void); int low_one_two(void) { return low_two(); }' >>low/one.c
echo 'int low_one(void); int low_two_one(void) { return low_one(); }' >>low/two.c
finds "two files of a folder that call each other are found" "circle low/one.c
circle low/two.c"

make_tree
echo 'int low_two(void);' >>low/one.h
finds "a header with a function of another file is found" "header low/one.h low/two.c"
printf 'low\tbelow\n\tdoors one.h\nhigh\tabove\n\tonly-here zstd.h\n' >tests/lib/floors
finds "unless it is a door" ""

make_tree
mv low/two.h low/private.h
sed -i 's|low/two.h|low/private.h|' low/two.c
echo '#include "low/private.h"' >>high/high.c
finds "private.h is for its folder" "include high/high.c low/private.h"

make_tree
mkdir lib
touch lib/a.h
finds "a folder without a floor is found" "folder lib: no floor"

make_tree
echo '#include <zstd.h>' >low/two.h
finds "a library that is included in another folder is found" "include low/two.h <zstd.h>"

make_tree
yes '' | head -n 451 >>low/two.c
finds "a long file is found" "size low/two.c: more than 450 lines"

make_tree
rm low/one.c low/two.[ch]
finds "a folder with one file is found" "folder low: one file only"

done_testing
