#!/bin/sh
# Sums of data objects, which data_sums.py computes from exported events.
. "$TOP/tests/lib/tap.sh"

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP data objects are found on x86-64 only"
	exit 0
fi

# Each access has a name, and what it is an access to is written behind it; the last comment of the line is read by
# data_sums.py. A name after # tells variables of the same name apart.
cat >shapes.c <<-END
	struct inner { short tag; int values[3]; };
	struct node { struct node *next; long value; struct inner inner; struct { char x; struct inner deep; } more[2]; };
	union number { long whole; double real; };
	struct holder { union number number; struct node *nodes; unsigned low : 3, high : 7; long after; };
	struct opaque;
	struct node g_node, g_nodes[20];
	long g_scalar;
	int g_table[40];
	static double same;
	#define LOAD(name, width, place, pointer) \
		__asm__ volatile("at_" name ": mov " place "(%0), %%" width : : "D"(pointer) : "rax", "memory")
	#define NAMED(name, place) \
		__asm__ volatile("at_" name ": mov " place "(%%rip), %%rax" : : : "rax", "memory")
	#define FUNCTION __attribute__((noinline, noclone)) void

	FUNCTION walk(struct node *node)
	{
		LOAD("next", "rax", "0", node); // {structure:node}.{pointer+structure:node next}
		LOAD("value", "rax", "8", node); // {structure:node}.{long_int value}
		LOAD("tag", "ax", "16", node); // {structure:node}.{structure:inner inner}.{short_int tag}
		LOAD("gap", "ax", "18", node); // {structure:node}.{structure:inner inner}
		LOAD("values", "eax", "20", node); // {structure:node}.{structure:inner inner}.{array+int values}.{int -}
		LOAD("last", "eax", "28", node); // {structure:node}.{structure:inner inner}.{array+int values}.{int -}
		LOAD("x", "al", "32", node); // {structure:node}.{array+structure:- more}.{structure:- -}.{char x}
		LOAD("deep", "ax", "36", node); // {structure:node}.{array+structure:- more}.{structure:- -}.{structure:inner deep}.{short_int tag}
		LOAD("second", "eax", "60", node); // {structure:node}.{array+structure:- more}.{structure:- -}.{structure:inner deep}.{array+int values}.{int -}
	}
	FUNCTION inside(struct inner *inner)
	{
		LOAD("inner_tag", "ax", "0", inner); // {structure:inner}.{short_int tag}
		LOAD("inner_values", "eax", "8", inner); // {structure:inner}.{array+int values}.{int -}
	}
	FUNCTION hold(struct holder *holder)
	{
		LOAD("whole", "rax", "0", holder); // {structure:holder}.{union:number number}.{long_int whole}
		LOAD("nodes", "rax", "8", holder); // {structure:holder}.{pointer+structure:node nodes}
		LOAD("bits", "ax", "16", holder); // {structure:holder}
		LOAD("after", "rax", "24", holder); // {structure:holder}.{long_int after}
	}
	FUNCTION globals(union number *number)
	{
		NAMED("g_node", "8+g_node"); // {structure:node}.{long_int value}
		NAMED("g_nodes", "80+g_nodes"); // {structure:node}.{long_int value}
		NAMED("g_scalar", "g_scalar"); // {long_int g_scalar}
		__asm__ volatile("at_table: mov 8+g_table(%%rip), %%eax" : : : "rax", "memory"); // {array+int g_table}.{int -}
		__asm__ volatile("at_same: mov %0, %%rax" : : "m"(same) : "rax"); // {double same}#1
		LOAD("number", "rax", "0", number); // {union:number}.{long_int whole}
	}
	FUNCTION pointers(long *cell, double **cells)
	{
		LOAD("cell", "rax", "0", cell); // {long_int -}
		LOAD("cells", "rax", "0", cells); // {pointer+double -}
	}
	FUNCTION unknown(struct opaque *opaque, void *anything)
	{
		LOAD("opaque", "rax", "8", opaque); // (No type information)
		LOAD("anything", "rax", "8", anything); // (No identifying descriptor provided by the compiler)
		__asm__ volatile("at_slot: movq \$1, -64(%%rsp)" : : : "memory"); // (Not determined from the symbolic information provided by the compiler)
		__asm__ volatile("at_none: nop"); // (Backtracking failed to find a valid branch target)
	}
	void other(void);
	void (*all[])(void) = { (void (*)(void))walk, (void (*)(void))inside, (void (*)(void))hold, (void (*)(void))globals,
				(void (*)(void))pointers, (void (*)(void))unknown, other };
	int main(void) { return all[0] == all[1]; }
END
# Another variable of the same name, and code without debug data.
cat >other.c <<-END
	static double same;
	void plain(void);
	void other(void)
	{
		__asm__ volatile("at_other: mov %0, %%rax" : : "m"(same) : "rax"); // {double same}#2
		plain();
	}
END
cat >plain.c <<-END
	void plain(void)
	{
		__asm__ volatile("at_plain: mov (%%rdi), %%rax" : : : "rax"); // (Module with trigger PC not compiled with -xhwcprof)
	}
END
gcc -c -O1 plain.c && gcc -g -O1 -no-pie -o shapes shapes.c other.c plain.o || exit 1

# The type node is another one here.
cat >classes.cc <<-END
	struct Point { int x, y; };
	struct Base { virtual ~Base() {} Point corner; };
	struct Other { long other; };
	template <class T> struct Pair { T first, second; };
	struct Derived : Base, Other { Pair<Point> points; Pair<Pair<short>> shorts; };
	struct node { Derived *derived; Pair<node *> nodes; };
	static int same;
	node g_node;
	#define LOAD(name, width, place, pointer) \
		__asm__ volatile("at_" name ": mov " place "(%0), %%" width : : "D"(pointer) : "rax", "memory")
	#define FUNCTION extern "C" __attribute__((noinline)) void

	FUNCTION derived(Derived *derived)
	{
		LOAD("pointer", "rax", "0", derived); // {structure:Derived}.{structure:Base -}.{pointer+pointer+function _vptr.Base}
		LOAD("corner", "eax", "12", derived); // {structure:Derived}.{structure:Base -}.{structure:Point corner}.{int y}
		LOAD("base_other", "rax", "16", derived); // {structure:Derived}.{structure:Other -}.{long_int other}
		LOAD("first", "eax", "28", derived); // {structure:Derived}.{structure:Pair<Point> points}.{structure:Point first}.{int y}
		LOAD("second", "eax", "32", derived); // {structure:Derived}.{structure:Pair<Point> points}.{structure:Point second}.{int x}
		LOAD("short", "ax", "44", derived); // {structure:Derived}.{structure:Pair<Pair<short_int>_> shorts}.{structure:Pair<short_int> second}.{short_int first}
	}
	FUNCTION base(Base *base, Point &point)
	{
		LOAD("base", "eax", "8", base); // {class:Base}.{structure:Point corner}.{int x}
		LOAD("point", "eax", "4", &point); // {structure:Point}.{int y}
	}
	FUNCTION walk(node *node)
	{
		LOAD("derived", "rax", "0", node); // {structure:node}.{pointer+structure:Derived derived}
		LOAD("nodes", "rax", "16", node); // {structure:node}.{structure:Pair<node*> nodes}.{pointer+structure:node second}
		__asm__ volatile("at_g_node: mov g_node(%%rip), %%rax" : : : "rax", "memory"); // {structure:node}.{pointer+structure:Derived derived}
		__asm__ volatile("at_same: mov %0, %%eax" : : "m"(same) : "rax"); // {int same}
	}
	int main() { Derived d; return d.corner.x; }
END
sed -i 's/{class:Base}/{structure:Base}/' classes.cc
g++ -g -O1 -no-pie -o classes classes.cc || exit 1
exec python3 -B "$TESTDIR/data_sums.py"
