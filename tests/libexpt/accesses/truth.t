#!/bin/sh
# The objects that instructions access are those that programs tell to have there: no
# answer is wrong, and enough of them are right. The programs are stepped, and every
# access is judged; see tests/libexpt/programs/step.c.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# The least shares of answers that are right as far as they go, in percent of those that
# the truth can judge, of all programs of a compiler: for accesses to the heap, to
# variables of the program, and to the stack, when the address and the registers are
# known; then when they are not.
shares() {
	cat <<-END
		gcc -O0		99 99 94	96 97 89
		gcc -O2		91 99 83	87 92 72
		clang -O0	99 99 95	96 97 91
		clang -O2	92 99 94	81 83 86
		g++ -O0		99 99 99	95 94 99
		g++ -O2		92 99 99	89 87 99
		clang++ -O0	99 99 99	95 94 99
		clang++ -O2	88 99 77	86 87 77
		gfortran -O0	99 99 0		99 73 0
		gfortran -O2	99 99 0		89 83 0
		rustc -O0	99 99 99	99 99 99
		rustc -O2	99 99 99	99 99 99
	END
}

c_programs='lists shapes arrays locals neighbours frames'
cxx_programs='classes containers'

step=$BUILD/tests/libexpt/programs/step
sources=$TESTDIR/truth

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP the harness knows x86-64 only"
	exit 0
fi

has() {
	"$1" --version >/dev/null 2>&1
}

# The truth has no debug data, and is the same for all compilers.
cc -O2 -g0 -c -o truth.o "$sources/truth.c"

# compile PROGRAM COMPILER LEVEL FLAG...
compile() {
	source=$(echo "$sources/$1".*)
	shift
	if [ "$1" = rustc ]; then
		rustc -g -C "opt-level=${2#-O}" -C "link-arg=$PWD/truth.o" -o program \
			"$source"
	else
		"$@" -g -I"$sources" -o program "$source" truth.o
	fi
}

# show COUNTS: one line for a program: "right+less/all" for each kind of address that can
# be judged, "answers/all" for the others.
show() {
	# shellcheck disable=SC2016
	note "$1: $(awk '
		$2 ~ /^(heap|global|stack)$/ { text = text " " $2 " " $5 "+" $7 "/" $3 }
		$2 ~ /^(slot|elsewhere)$/ { text = text " " $2 " " $9 "/" $3 }
		$2 == "instructions" {
			printf "%s:%s, instructions %d+%d/%d; ", $1, text, $5, $7, $3
			text = ""
		}
		$1 == "steps" { steps = $0 }
		END { print steps }' "$1")"
}

# try PROGRAM COMPILER LEVEL FLAG...: build a program and step it.
try() {
	program=$1 compiler=$2 level=$3
	run=$*
	if ! has "$compiler"; then
		skip "there is no $compiler" "$run"
		return
	fi
	check "$run: is built" compile "$@" || return
	"$step" ./program >"$run" 2>error
	is "$?$(cat error)" 0 "$run: is stepped"
	is "$(grep '^wrong' "$run")" '' "$run: nothing is wrong"
	show "$run"
	cat "$run" >>"counts $compiler $level"
}

# The judge finds what is wrong: it is given answers that are, and others.
compile lists gcc -O2
"$step" --lie ./program >lies
# shellcheck disable=SC2016
check 'lies are found' awk '
	$1 == "address" && $2 ~ /^(heap|global)$/ { kinds += $5 && $7 && $11 && $13 }
	$1 == "lies" { lies = $2; missed = $4 }
	{ print }
	END { exit !(kinds == 2 && lies > 1000 && missed == 0) }' lies

for level in -O0 -O2; do
	for program in $c_programs; do
		try "$program" gcc "$level"
		try "$program" clang "$level"
	done
	for program in $cxx_programs; do
		try "$program" g++ "$level"
		try "$program" clang++ "$level"
	done
	try fields gfortran "$level"
	try rusty rustc "$level"
done
try shapes gcc -O2 -no-pie
try classes g++ -Os
try arrays gcc -O3
try shapes clang -O3

# enough COMPILER LEVEL SHARE...
enough() {
	file="counts $1 $2"
	text="enough is right: $1 $2"
	shift 2
	# shellcheck disable=SC2016
	check "$text" awk -v least="$*" '
		BEGIN {
			split(least, limits)
			split("address static", modes)
			split("heap global stack", regions)
		}
		$2 ~ /^(heap|global|stack)$/ {
			all[$1, $2] += $3 - $9 # the truth cannot judge these
			right[$1, $2] += $5 + $7
		}
		END {
			for (i = 0; i < 6; i++) {
				mode = modes[int(i / 3) + 1]
				region = regions[i % 3 + 1]
				if (!all[mode, region])
					continue
				share = 100 * right[mode, region] / all[mode, region]
				printf "%s %s %.1f %%, ", mode, region, share
				bad = bad || share < limits[i + 1]
			}
			exit bad
		}' "$file"
	# shellcheck disable=SC2154 # set by check
	note "$text: ${tap_output%, }"
}

shares >table
while read -r compiler level least; do
	# shellcheck disable=SC2086
	[ ! -e "counts $compiler $level" ] || enough "$compiler" "$level" $least
done <table

done_testing
