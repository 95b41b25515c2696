#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/readers.sh"
# Java programs in the three modes, compared with gprofng's reader.

# inclusive EXPERIMENT MODE: the function list without the exclusive column.
inclusive() {
	er_print -viewmode "$2" -metrics i.totalcpu:name -functions "$1" 2>/dev/null | sed '1,/^CPU sec/d'
}

# has_row TABLE TIME NAME
# shellcheck disable=SC2317
has_row() {
	grep -qx "$2 *$3" "$1"
}

build_shape shape
"$TOP/tests/er_print/make-java" "$PWD/shape" java.er plain.er names.er again.er

for mode in user expert machine; do
	for name in java plain names; do
		same_output "$name in $mode mode" -viewmode $mode -name long:soname -functions \
			-name short -functions -name mangled -functions $name.er
	done
	same_output "callers in $mode mode" -viewmode $mode -metrics e.totalcpu:name -csingle main -csingle burn java.er
done
# Only the names and addresses of their functions are used.
for function in Java_pkg_Cell_native Java_pkg_Cell_my_1other__I_3Ljava_lang_String_2 \
	Java_pkg_Outer_00024Inner_method helper; do
	echo "int $function(int x) { return x + 1; }"
done >native.c
echo 'int call_java(int x) { return x + 1; } int sleep_there(int x) { return x + 2; }' >jvm.c
for library in native jvm; do
	cc -O0 -shared -fPIC -Wl,-z,noseparate-code -o lib$library.so $library.c
done
"$TOP/tests/er_print/make-java" "$PWD/shape" native.er
for mode in user expert machine; do
	same_output "native methods in $mode mode" -viewmode $mode -name long:soname -metrics ei.totalcpu:name \
		-functions -csingle helper native.er
done
"$TOP/tests/er_print/make-java" "$PWD/shape" inner native.er
# The dollar is not encoded in gprofng.
er_print -csingle Java_pkg_Outer_00024Inner_method native.er >inner 2>/dev/null
# shellcheck disable=SC2016
check 'methods of inner classes are found' grep -q 'pkg.Outer$Inner.method()' inner

# ---- garbage collections ----

"$TOP/tests/er_print/make-java" "$PWD/shape" collections.er
same_output 'garbage collections' -gcevents -metrics ei.%user:name -gcevents -limit 3 -gcevents collections.er
same_output 'those of two experiments' -gcevents collections.er java.er
same_output 'no garbage collections' -gcevents plain.er

same_output 'user mode is the first one' -functions java.er

inclusive java.er user >user.rows
inclusive java.er expert >expert.rows
inclusive java.er machine >machine.rows
check 'methods are functions in user mode' has_row user.rows 0.800 'pkg.Cell.work(int, java.lang.String\[\])'
check 'threads of the machine are one function' has_row user.rows 4.690 '<JVM-System>'
check 'the native stack is there in expert mode, if the leaf is unknown' has_row expert.rows 0.120 burn
check 'compiled methods have names in machine mode' has_row machine.rows 0.190 'pkg.Cell.work(int, java.lang.String\[\])'

er_print -viewmode machine -functions -viewmode user -functions java.er >both 2>/dev/null
er_print -viewmode user -functions java.er >single.rows 2>/dev/null
check 'a mode applies from the command on' sh -c "tail -n \$(wc -l <single.rows) both | cmp - single.rows"

# An event before the class was loaded belongs to it: methods are known only once they run.
inclusive again.er user >again
check 'an id that is used again is known' grep -q 'pkg.Again.first()' again

is "$(er_print -viewmode x -functions java.er 2>&1 >/dev/null | head -1)" "er_print: unknown view mode 'x'" \
	'an unknown mode is an error'
er_print -viewmode user -fsingle pkg.Cell.work java.er >single 2>/dev/null
check 'a method has a source file' grep -q 'Source File: pkg/Cell.java' single
check 'its object is the file of the class' grep -q 'Load Object: pkg/Cell.class' single
er_print -fsingle 'pkg.Cell.work(int, java.lang.String[])' java.er >long 2>/dev/null
check 'it is found by its long name, too' cmp single long
is "$(er_print -header java.er 2>/dev/null | grep JVM)" "JVM version: \`17'" 'the header has the version of the machine'

# Damaged files: every cut of the classes is read without a crash.
size=$(stat -c %s names.er/jclasses)
cp -r names.er cut.er
while [ "$size" -gt 0 ]; do
	size=$((size - 37))
	head -c "$((size > 0 ? size : 0))" names.er/jclasses >cut.er/jclasses
	er_print -functions cut.er >output 2>&1
	if [ $? -gt 1 ] || ! grep -q '<Total>' output; then
		break
	fi
done
check 'damaged classes are read as far as possible' [ "$size" -le 0 ]

done_testing
