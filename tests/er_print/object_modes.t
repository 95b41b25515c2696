#!/bin/sh
# shellcheck disable=SC2317 # check runs the functions
# Functions of load objects that are folded, or left out but for their entries, as gp-display-text shows them.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/ticks.sh
. "$TOP/tests/lib/ticks.sh"

if ! command -v gp-display-text >/dev/null; then
	skip 'there is no gp-display-text' 'load objects are folded as in gprofng'
	done_testing
	exit
fi

# Each library calls the other, and itself.
library() { # NAME OTHER
	cat <<-END
		extern void spin(long count);
		extern void $2_entry(int depth);
		__attribute__((noinline)) static void $1_leaf(void) { spin(300000); }
		__attribute__((noinline)) static void $1_inner(int depth)
		{
			$1_leaf();
			if (depth > 0)
				$2_entry(depth - 1);
			spin(100000);
		}
		void $1_other(void) { $1_leaf(); spin(200000); }
		void $1_entry(int depth) { $1_inner(depth); spin(1000); }
	END
}
library one two >one.c
library two one >two.c
# The loader, whose functions have other names in gprofng, is not recorded.
cat >prog.c <<-END
	#include <signal.h>
	extern void one_entry(int depth), two_other(void);
	void spin(long count)
	{
		for (volatile long i = 0; i < count; i++)
			;
	}
	__attribute__((noinline)) static void work(void) { one_entry(3); spin(1000); }
	int main(void)
	{
		raise(SIGUSR1);
		for (int i = 0; i < 60; i++) {
			work();
			two_other();
			spin(100000);
		}
		raise(SIGUSR1);
		return 0;
	}
END
for name in one two; do
	gcc -gdwarf-4 -O1 -fno-optimize-sibling-calls -shared -fPIC -o lib$name.so $name.c
done
gcc -gdwarf-4 -O1 -fno-optimize-sibling-calls -rdynamic -o prog prog.c -L. -lone -ltwo -Wl,-rpath,"$PWD"
with_ticks 20 prog.er collect -y USR1 -p 1000u -A off -o prog.er ./prog

# gprofng knows the objects only in a script, after a first table. Each command prints a list of them; names in
# libc differ, because gprofng does not look for its debug file.
tables() { # PROGRAM
	timeout 60 "$1" -script commands prog.er 2>/dev/null |
		sed 's/<static>@0x[0-9a-f]* (\(<.*>\))/\1/; s/__libc_start_call_main/<libc.so.6>/; s/ *$//'
}
same() { # COMMAND...
	printf '%s\n' 'metrics e.totalcpu:i.totalcpu:name' functions "$@" >commands
	tables er_print >ours
	tables gp-display-text >theirs
	diff theirs ours >differences || sed 's/^/# /' differences
	[ "$(grep -c 'sorted by' ours)" -gt 1 ] && [ ! -s differences ]
}
for list in 'libone.so' 'libtwo.so' 'libone.so,libtwo.so' 'prog' 'libc.so.6' 'prog,libone.so' all; do
	for mode in hide api select; do
		check "object_$mode $list" same "object_$mode $list" functions callers-callees calltree
	done
done
check "one folded, one with its entries" same 'object_hide libone.so' 'object_api libtwo.so' functions calltree
check "all but one" same 'object_hide all' 'object_show libtwo.so' functions callers-callees
check "as at first" same 'object_api libone.so' objects_default functions callers-callees
done_testing
