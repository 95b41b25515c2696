#!/bin/sh
# Layouts of structures, unions and classes: offsets, sizes, gaps and marks by hand, and the members that accesses
# at such offsets belong to.
. "$TOP/tests/lib/tap.sh"

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP data objects are found on x86-64 only"
	exit 0
fi

# make PROGRAM: an experiment with one event of each instruction of the program at a name that ends in _load.
make_experiment() {
	python3 - "$1" <<-END
		import os
		import subprocess
		import sys
		sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
		from experiment import Experiment

		program = sys.argv[1]
		made = Experiment(program + ".er", kinds=("hwcounters",), counters=(("loads", 0x203),))
		made.segment(os.path.realpath(program))
		for line in subprocess.check_output(["nm", program], text=True).splitlines():
		    words = line.split()
		    if words[-1].endswith("_load"):
		        made.count([int(words[0], 16)], 0, 1, 0x7f0000000000, int(words[0], 16))
		made.write()
	END
}

# layout ARGUMENT...: of er_print; marks, offsets, sizes and names.
layout() {
	er_print "$@" | sed -n 's/^ *[0-9]*  *[0-9.]*  *\([#/|\\?<]  *[0-9]*  *[0-9]* .*\)$/\1/p'
}

# rows EXPERIMENT: the innermost data objects with events.
rows() {
	er_print -printmode '|' -data_metrics d+loads:name -data_objects "$1" | tr -d '"' |
		sed -n 's/^[1-9][0-9]*|\([{(].*\)$/\1/p' | LC_ALL=C sort |
		awk 'NR > 1 && index($0, last ".") != 1 { print last } { last = $0 } END { print last }'
}

# ---- C ----

cat >marks.c <<-END
	struct point { char tag; int x, y; };
	struct whole { long words[8]; };
	struct marks {
		char block[64];
		long begins;
		int bits_a : 3, bits_b : 7, : 0, bits_c : 30, bits_d : 5;
		char inside[15];
		struct point point;
		char room[4];
		long completes[2];
		struct point points[2][3];
		char more_room[40];
		struct whole fits;
		long crosses[3];
		int matrix[4][8];
		char last;
	} __attribute__((packed, aligned(64)));
	struct natural { char a; double b; char c; short d; int e : 5; int f : 12; char g; long h : 40; long i : 30; char j; };
	struct empty {};
	struct with_empty { int a; struct empty e; int b; };
	struct flexible { long count; struct point items[]; };
	struct at_block { char line[64]; long items[]; };
	union number { long whole; double real; struct point point; char bytes[20]; };
	struct has_union { int kind; union number n; union { int anonymous; float f; }; };
	struct huge { long head; char room[2 << 20]; long tail; };
	struct nested { struct { struct { char a; long b; } in; char c; } out; char d; };
	#define TOUCH(type, name, offset) \
		void touch_##name(type *p) { __asm__ volatile(#name "_load: movb " #offset "(%0), %%al" :: "D"(p) : "rax"); }
	TOUCH(struct marks, marks, 0)
	TOUCH(struct marks, crosses, 320)
	TOUCH(struct natural, natural, 23)
	TOUCH(struct with_empty, with_empty, 4)
	TOUCH(struct flexible, flexible, 28)
	TOUCH(struct at_block, at_block, 80)
	TOUCH(struct has_union, has_union, 32)
	TOUCH(union number, number, 16)
	TOUCH(struct huge, huge, 2097160)
	TOUCH(struct nested, nested, 8)
	int main(void) { return 0; }
END
cat >expected <<'END'
<      0     64 {structure:at_block}
<      0     64   {array+char line}
/     64      0   {array+long_int items}
/      0      8 {structure:flexible}
/      0      8   {long_int count}
|      8      0   {array+structure:point items}
/      0     40 {structure:has_union}
/      0      4   {int kind}
|      4      4   (Padding in structure)
|      8     24   {union:number n}
|      8      8     {long_int whole}
|      8      8     {double real}
|      8     12     {structure:point point}
|      8      1       {char tag}
|      9      3       (Padding in structure)
|     12      4       {int x}
|     16      4       {int y}
|      8     20     {array+char bytes}
|     28      4     (Padding in structure)
|     32      4   {union:- -}
|     32      4     {int anonymous}
|     32      4     {float f}
|     36      4   (Padding in structure)
#      0 2097168 {structure:huge}
/      0      8   {long_int head}
#      8 2097152   {array+char room}
| 2097160      8   {long_int tail}
#      0    512 {structure:marks}
<      0     64   {array+char block}
/     64      8   {long_int begins}
|     72      1   {int bits_a}
|     72      2   {int bits_b}
|     74      2   (Padding in structure)
|     76      4   {int bits_c}
|     79      2   {int bits_d}
|     81     15   {array+char inside}
|     96     12   {structure:point point}
|     96      1     {char tag}
|     97      3     (Padding in structure)
|    100      4     {int x}
|    104      4     {int y}
|    108      4   {array+char room}
\    112     16   {array+long_int completes}
#    128     72   {array+structure:point points}
|    200     40   {array+char more_room}
?    240     64   {structure:whole fits}
?    240     64     {array+long_int words}
?    304     24   {array+long_int crosses}
#    328    128   {array+int matrix}
|    456      1   {char last}
\    457     55   (Padding in structure)
/      0     40 {structure:natural}
/      0      1   {char a}
|      1      7   (Padding in structure)
|      8      8   {double b}
|     16      1   {char c}
|     17      1   (Padding in structure)
|     18      2   {short_int d}
|     20      1   {int e}
|     20      3   {int f}
|     23      1   {char g}
|     24      5   {long_int h}
|     29      3   (Padding in structure)
|     32      4   {long_int i}
|     36      1   {char j}
|     37      3   (Padding in structure)
/      0     32 {structure:nested}
/      0     24   {structure:- out}
/      0     16     {structure:- in}
/      0      1       {char a}
|      1      7       (Padding in structure)
|      8      8       {long_int b}
|     16      1     {char c}
|     17      7     (Padding in structure)
|     24      1   {char d}
|     25      7   (Padding in structure)
/      0      8 {structure:with_empty}
/      0      4   {int a}
|      4      0   {structure:empty e}
|      4      4   {int b}
/      0     24 {union:number}
/      0      8   {long_int whole}
/      0      8   {double real}
/      0     12   {structure:point point}
/      0      1     {char tag}
|      1      3     (Padding in structure)
|      4      4     {int x}
|      8      4     {int y}
/      0     20   {array+char bytes}
|     20      4   (Padding in structure)
END
cat >expected_rows <<'END'
{structure:at_block}.{array+long_int items}.{long_int -}
{structure:flexible}.{array+structure:point items}.{structure:point -}.{int y}
{structure:has_union}.{union:- -}.{int anonymous}
{structure:huge}.{long_int tail}
{structure:marks}.{array+char block}.{char -}
{structure:marks}.{array+long_int crosses}.{long_int -}
{structure:natural}.{char g}
{structure:nested}.{structure:- out}.{structure:- in}.{long_int b}
{structure:with_empty}.{int b}
{union:number}.{array+char bytes}.{char -}
END
# The places of bit-fields are written in another way before version 4.
for version in 2 3 4 5; do
	gcc -O1 -gdwarf-$version -gstrict-dwarf -no-pie -o marks marks.c && make_experiment marks
	layout -data_sort name -data_layout marks.er >found
	check "C, DWARF $version: members, bit-fields, arrays, unions, gaps and marks" diff expected found
	rows marks.er >found
	check "C, DWARF $version: accesses belong to the members there" diff expected_rows found
done

# A limit is one of structures: each has all of its members.
sed '/structure:huge/,$d' expected >limited
layout -data_sort name -limit 3 -data_layout marks.er 2>/dev/null >found
check 'a limit of three: three structures with their members' diff limited found

# ---- C++ ----

cat >classes.cc <<-END
	struct Empty {};
	struct Base { virtual ~Base() {} int base; };
	struct Other { virtual ~Other() {} long other; char c; };
	struct Multiple : Base, Other, Empty { short own; };
	struct Shared { virtual ~Shared() {} long shared[2]; };
	struct Left : virtual Shared { int left; };
	struct Right : virtual Shared { int right; };
	struct Bottom : Left, Right { char bottom; static int everywhere; };
	int Bottom::everywhere;
	struct Lower : Bottom { char lower; };
	template <class A, class B, int N> struct Table { A keys[N]; B values[N]; struct Slot { A key; B *value; } first; };
	typedef Table<unsigned long, Table<char, Table<short, unsigned long long, 2>, 3>, 2> Deep;
	struct Has { Empty first; int a; Empty last; Deep *deep; int &reference; };
	class Derived final : public Base { public: long more; };
	#define TOUCH(type, name, offset) \
		void touch_##name(type *p) { __asm__ volatile(#name "_load: movb " #offset "(%0), %%al" :: "D"(p) : "rax"); }
	TOUCH(Multiple, multiple, 34)
	TOUCH(Multiple, padding, 33)
	TOUCH(Multiple, other, 32)
	TOUCH(Shared, shared, 16)
	TOUCH(Left, left, 8)
	TOUCH(Bottom, bottom, 28)
	TOUCH(Bottom, right, 24)
	TOUCH(Bottom, pointer, 16)
	TOUCH(Bottom, moving, 40)
	TOUCH(Lower, lower, 29)
	TOUCH(Has, has, 4)
	TOUCH(Derived, derived, 8)
	TOUCH(Empty, empty, 0)
	Bottom b; Multiple m; Derived d; Lower l;
	int main() { return 0; }
END
# Compilers use the padding of a base class, and have its members without its virtual base classes.
cat >expected <<'END'
/      0     24 {class:Derived}
/      0     12   {structure:Base -}
/      0      8     {pointer+pointer+function _vptr.Base}
|      8      4     {int base}
|     12      4   (Padding in structure)
|     16      8   {long_int more}
/      0     56 {structure:Bottom}
/      0     12   {structure:Left -}
/      0      8     {pointer+pointer+function _vptr.Left}
|      8      4     {int left}
|     12      4   (Padding in structure)
|     16     12   {structure:Right -}
|     16      8     {pointer+pointer+function _vptr.Right}
|     24      4     {int right}
|     28      1   {char bottom}
|     29     27   (Virtual base classes)
/      0      1 {structure:Empty}
/      0      1   (Padding in structure)
/      0     32 {structure:Has}
/      0      1   {structure:Empty first}
|      1      3   (Padding in structure)
|      4      4   {int a}
|      8      1   {structure:Empty last}
|      9      7   (Padding in structure)
|     16      8   {pointer+structure:Table<long_unsigned_int,_Table<char,_Table<short_int,_long_long_unsigned_int,_2>,_3>,_2> deep}
|     24      8   {reference+int reference}
/      0     40 {structure:Left}
/      0      8   {pointer+pointer+function _vptr.Left}
|      8      4   {int left}
|     12     28   (Virtual base classes)
/      0     56 {structure:Lower}
/      0     29   {structure:Bottom -}
/      0     12     {structure:Left -}
/      0      8       {pointer+pointer+function _vptr.Left}
|      8      4       {int left}
|     12      4     (Padding in structure)
|     16     12     {structure:Right -}
|     16      8       {pointer+pointer+function _vptr.Right}
|     24      4       {int right}
|     28      1     {char bottom}
|     29      1   {char lower}
|     30     26   (Virtual base classes)
/      0     40 {structure:Multiple}
/      0     12   {structure:Base -}
/      0      8     {pointer+pointer+function _vptr.Base}
|      8      4     {int base}
/      0      0   {structure:Empty -}
|     12      4   (Padding in structure)
|     16     17   {structure:Other -}
|     16      8     {pointer+pointer+function _vptr.Other}
|     24      8     {long_int other}
|     32      1     {char c}
|     33      1   (Padding in structure)
|     34      2   {short_int own}
|     36      4   (Padding in structure)
/      0     24 {structure:Shared}
/      0      8   {pointer+pointer+function _vptr.Shared}
|      8     16   {array+long_int shared}
END
LC_ALL=C sort >expected_rows <<'END'
{class:Derived}.{structure:Base -}.{int base}
{structure:Bottom}.{char bottom}
{structure:Bottom}.{structure:Right -}.{int right}
{structure:Bottom}.{structure:Right -}.{pointer+pointer+function _vptr.Right}
{structure:Empty}
{structure:Has}.{int a}
{structure:Left}.{int left}
{structure:Lower}.{char lower}
{structure:Multiple}.{short_int own}
{structure:Multiple}.{structure:Other -}.{char c}
{structure:Shared}.{array+long_int shared}.{long_int -}
END
# Compilers have different words for the same types, and names of the pointer to virtual functions.
of_gcc() {
	sed 's/_vptr[$]/_vptr./; s/\([{+]\)\(long\|short\) /\1\2_int /g
		s/unsigned_long_long/long_long_unsigned_int/; s/unsigned_long/long_unsigned_int/; s/<short,/<short_int,/'
}

for compiler in g++ clang++; do
	all=$([ $compiler = g++ ] || echo -fstandalone-debug)
	# shellcheck disable=SC2086 # an option or nothing
	if ! $compiler $all -O1 -g -no-pie -o "$compiler" classes.cc 2>/dev/null; then
		skip "there is no $compiler" "$compiler: layouts of classes"
		continue
	fi
	make_experiment "$compiler"
	layout -data_sort name -data_layout "$compiler.er" | of_gcc >found
	check "$compiler: members, base classes, gaps and marks" diff expected found
	rows "$compiler.er" | of_gcc | LC_ALL=C sort >found
	check "$compiler: accesses belong to the members there" diff expected_rows found
done
done_testing
