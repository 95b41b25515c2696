#!/bin/sh
# The objects that instructions access are those that programs tell to have there: no answer is wrong, and
# enough of them are right. The programs are stepped, and every access is judged; see
# tests/libexpt/programs/step.c.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# The least shares of right answers, in percent, of all programs of a compiler: for accesses to the heap, to
# global variables, and to the stack, when the address and the registers are known; then when they are not.
shares() {
	cat <<-END
		gcc -O0		0 0 0	0 0 0
		gcc -O2		0 0 0	0 0 0
		clang -O0	0 0 0	0 0 0
		clang -O2	0 0 0	0 0 0
	END
}

step=$BUILD/tests/libexpt/programs/step
sources=$TESTDIR/truth

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP the harness knows x86-64 only"
	exit 0
fi

has() {
	command -v "$1" >/dev/null
}

# The truth has no debug data, and is the same for all compilers.
cc -O2 -g0 -c -o truth.o "$sources/truth.c"

# show NAME: one line for the counts of a program, "right+less/all".
show() {
	# shellcheck disable=SC2016
	note "$1: $(awk '$2 ~ /heap|global|stack/ { text = text " " $2 " " $5 "+" $7 "/" $3 }
		$2 == "slot" || $2 == "elsewhere" { text = text " " $2 " " $9 "/" $3 }
		$2 == "instructions" { printf "%s:%s, instructions %d+%d/%d; ", $1, text, $5, $7, $3; text = "" }
		$1 == "steps" { steps = $0 } END { print steps }' "$1")"
}

# try NAME COMPILER LEVEL FLAG...: build a program from sources, step it, and keep its counts as "NAME, ...".
try() {
	name=$1 compiler=$2 level=$3
	shift
	if ! has "$compiler"; then
		skip "there is no $compiler" "$name, $*"
		return
	fi
	source=$(echo "$sources/$name".*)
	if ! "$@" -g -I"$sources" -o "program" "$source" truth.o 2>error; then
		ok 1 "$name is built: $*"
		sed 's/^/# /' error
		return
	fi
	run="$name, $*"
	"$step" ./program >"$run" 2>error
	is "$?$(cat error)" 0 "$run: is stepped"
	is "$(grep '^wrong' "$run")" '' "$run: nothing is wrong"
	show "$run"
	cat "$run" >>"counts $compiler $level"
}

# The judge finds what is wrong: it is given answers that are, and others.
gcc -O2 -g -I"$sources" -o program "$sources/lists.c" truth.o
"$step" --lie ./program >lies
# shellcheck disable=SC2016
check 'lies are found' awk '
	$1 == "address" && ($2 == "heap" || $2 == "global") { if ($5 && $7 && $11 && $13) kinds++ }
	$1 == "lies" { lies = $2; missed = $4 }
	{ print }
	END { exit !(kinds == 2 && lies > 1000 && missed == 0) }' lies

for flags in 'gcc -O0' 'gcc -O2' 'clang -O0' 'clang -O2'; do
	# shellcheck disable=SC2086
	try lists $flags
done
try lists gcc -O2 -no-pie

# enough COMPILER LEVEL SHARE...
enough() {
	file="counts $1 $2"
	text="enough is right: $1 $2"
	shift 2
	# shellcheck disable=SC2016
	check "$text" awk -v least="$*" '
		BEGIN { split(least, limits) }
		$2 ~ /^(heap|global|stack)$/ { all[$1 " " $2] += $3; right[$1 " " $2] += $5 }
		END {
			for (i = 1; i <= split("address heap,address global,address stack,static heap,static global,static stack", names, ","); i++) {
				name = names[i]
				share = all[name] ? 100 * right[name] / all[name] : 100
				printf "%s: %.1f, at least %s\n", name, share, limits[i]
				bad = bad || share < limits[i]
			}
			exit bad
		}' "$file"
}

shares >table
while read -r compiler level least; do
	# shellcheck disable=SC2086
	[ ! -e "counts $compiler $level" ] || enough "$compiler" "$level" $least
done <table

done_testing
