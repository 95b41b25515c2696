# shellcheck shell=sh
# The help texts of programs. Source this file after tap.sh.

# options PROGRAM: the words of --help that are options
options() {
	"$1" --help | sed -n 's/^ *-/-/p' | sed 's/  .*//; s/, / /g' | tr ' ' '\n' |
		sed -n 's/^\(--*[A-Za-z][A-Za-z-]*\).*/\1/p' | grep -v '^-[A-Z][A-Z]' | LC_ALL=C sort -u
}
