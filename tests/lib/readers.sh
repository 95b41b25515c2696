# shellcheck shell=sh
# Functions for tests that compare er_print with gprofng's reader.

# same_output NAME COMMANDS... EXPERIMENT: equal to the character, but for the numbers of stacks, which are
# addresses there.
same_output() {
	same_name=$1
	shift
	gp-display-text "$@" 2>/dev/null | sed 's/^Stack 0x.*/Stack/' >theirs
	er_print "$@" 2>errors | sed 's/^Stack 0x.*/Stack/' >ours
	check "$same_name: $1 is equal to the character" diff theirs ours
}
