#!/bin/sh
# shellcheck disable=SC2317 # check runs the functions
# Source lines and instructions with metrics, compared with what other programs print.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/ticks.sh
. "$TOP/tests/lib/ticks.sh"

cat >prog.c <<-END
	#include <stdlib.h>

	volatile double sink;
	static inline __attribute__((always_inline)) double deep(double x)
	{
		for (int i = 0; i < 1000; i++)
			x = x * 1.0001 + 0.5;
		return x;
	}

	static inline __attribute__((always_inline)) double middle(double x)
	{
		x += deep(x);
		return x / 2;
	}

	__attribute__((noinline)) void burn(void)
	{
		sink += middle(sink);
	}

	__attribute__((noinline)) void idle(void)
	{
		sink = 0;
	}

	int main(void)
	{
		for (int i = 0; i < 50000; i++)
			burn();
		return 0;
	}
END
# gprofng 2.40 reads version 4, not 5.
gcc -gdwarf-4 -O1 -o prog prog.c
with_ticks 6 prog.er collect -A copy -o prog.er ./prog

# Without what differs on purpose: shares, names of libc, the place of files, blanks at ends.
print() { # PROGRAM COMMAND...: with all experiments
	"$@" prog.er 2>&1 | sed 's/ (found as .*//; s/\(Source [Ff]ile: \).*\//\1/; s/ *$//; /<static>\|libc\|_start/d; /^Current/d'
}
same() { # COMMAND...
	print er_print -metrics e.totalcpu:i.totalcpu:name "$@" >ours
	print gp-display-text -metrics e.totalcpu:i.totalcpu:name "$@" >theirs
	diff theirs ours >differences || sed 's/^/# /' differences
	[ "$(wc -l <ours)" -gt 6 ] && [ ! -s differences ]
}
check "lines" same -lines
check "addresses with their lines" same -pcs
check "the summary of a function, and its object file" same -fsingle burn -fsingle main
check "the source of a function" same -source main
check "the source of another function" same -source burn
check "a source by its name" same -source prog.c

# The instructions are compared with those of objdump, the rest with gp-display-text.
print er_print -metrics e.totalcpu:i.totalcpu:name -disasm burn >ours
print gp-display-text -metrics e.totalcpu:i.totalcpu:name -disasm burn >theirs
sed 's/\(:  [a-z0-9]*\).*/\1/' ours >ours.short
sed 's/\(:  [a-z0-9]*\).*/\1/' theirs >theirs.short
check "instructions without operands" cmp theirs.short ours.short
objdump -d --no-show-raw-insn --disassemble=burn prog | sed -n 's/^ *\([0-9a-f]*\):[ \t]*/\1 /p' |
	sed 's/  */ /g; s/ $//; s/\(# [0-9a-f]*\) <.*/\1/' >listed # data have no names here
sed -n 's/.*\] *\([0-9a-f]*\):  /\1 /p' ours | sed 's/  */ /g' >instructions
is "$(cat instructions)" "$(cat listed)" "operands are those of objdump"

# The loop takes nearly all time, in an inlined function; apart, that has what its caller had.
check "a line of the inner loop is hot" sh -c \
	"er_print -metrics e.totalcpu:name -source prog.c prog.er | grep -q '^## .* [67]\\. '"
er_print -metrics i.totalcpu:name -functions prog.er >folded
er_print -metrics i.totalcpu:e.totalcpu:name -inline on -functions prog.er >apart
is "$(grep -c ' deep$\| middle$' folded)" 0 "inlined functions are folded"
is "$(awk '$3 == "burn" { print $1 }' apart)" "$(awk '$2 == "burn" { print $1 }' folded)" \
	"apart, a function has what it had"
# Each of three values is rounded.
# shellcheck disable=SC2016 # of awk
check "and an inlined one what its only caller has not itself" awk '
	$3 == "burn" { callee = $1 - $2 }
	$3 == "middle" { middle = $1; found = 1 }
	END { difference = middle - callee; exit !(found && difference < .002 && difference > -.002) }' apart
er_print -inline on -metrics e.totalcpu:name -calltree prog.er | grep -o '+-.*' >tree
is "$(sed -n '/burn$/,/deep$/p' tree)" "+-burn
+-middle
+-deep" "inlined functions are frames of the call tree"

# A source that was changed, moved, or removed. Copies in archives must not help.
rm -f prog.er/archives/*
touch -d '+1 hour' prog.c
check "a newer source is named" sh -c \
	"er_print -source main prog.er | grep -q '^Warning: the source is newer'"
mkdir moved
mv prog.c moved
er_print -source main prog.er >missing
check "a missing source is named" grep -q "^Warning: cannot find '.*/prog.c'" missing
is "$(grep -c '<Function: main>' missing) $(grep -c 'sink' missing)" "1 0" \
	"without text, lines with metrics are shown"
er_print -pathmap "$PWD" "$PWD/moved" -source main prog.er >mapped
er_print -addpath moved -source main prog.er >added
is "$(grep -c 'sink' mapped) $(grep -c 'sink' added)" "3 3" "pathmap and addpath find it"

is "$(er_print -source nowhere prog.er 2>&1)" \
	"er_print: no function or source file 'nowhere' with recorded metrics" "an unknown name"
is "$(er_print -source '<Total>' prog.er 2>&1)" \
	"er_print: '<Total>' is not a function: it has no code" "no function"

# A long source is read once: the work grows with it, not with its square.
awk 'BEGIN { for (i = 1; i <= 50000; i++) print "// " i }' >long.c
cat moved/prog.c >>long.c
gcc -gdwarf-4 -O1 -o long long.c
with_ticks 6 long.er collect -o long.er ./long
er_print -source main long.er >listing
is "$(grep -c '^ *[0-9. #]*// ' listing)" 50000 "all lines of a long source"
check "metrics on a line far down" grep -q '^##.* 5000[67]\.' listing

done_testing
