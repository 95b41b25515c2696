# shellcheck shell=sh
# Functions for tests that compare er_print with gprofng's reader.

# same_output_but SCRIPT NAME COMMANDS... EXPERIMENT: the same text, after sed has applied SCRIPT, and except
# for the numbers of stacks, which are addresses in gprofng.
same_output_but() {
	same_script="s/^Stack 0x.*/Stack/; $1"
	same_name=$2
	shift 2
	gp-display-text "$@" 2>/dev/null | sed "$same_script" >theirs
	er_print "$@" 2>errors | sed "$same_script" >ours
	check "$same_name: $1 is equal to the character" diff theirs ours
}

# same_output NAME COMMANDS... EXPERIMENT
same_output() {
	same_output_but '' "$@"
}

# build_shape FILE: build the program of the handmade experiments. Its code directly follows its headers,
# because only then are gprofng's rows for gaps right. It has no line numbers, which gprofng 2.44 shows and
# er_print does not.
build_shape() {
	cc -O1 -fno-inline -no-pie -Wl,-z,noseparate-code -o "$1" \
		"$TOP/tests/er_print/programs/shape.c" 2>/dev/null ||
		cp "$BUILD/tests/er_print/programs/shape" "$1"
}
