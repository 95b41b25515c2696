# Stacks of real programs, built without frame pointers, reach the program's start in at least
# 99 % of the time.
. "$TOP/tests/lib/tap.sh"

# Percent of the sampled CPU time whose stacks contain one of the functions, given as a regular expression.
share() {
	er_print -functions "$1" | awk -v name="^($2)\$" '
		/<Total>/ { total = $3 }
		$NF ~ /^not_sampled_/ { total -= $3 }
		$NF ~ name && $3 > found { found = $3 }
		END { print total ? 100 * found / total : 0 }'
}

reaches_start() { # NAME: of what was recorded as NAME.er
	ticks=$(er_print -functions "$1.er" | awk '/<Total>/ { print 1000 * $3 }')
	check "$1: enough was recorded (${ticks:-no} ms)" [ "${ticks%.*}" -ge 300 ]
	reached=$(share "$1.er" '_start|__libc_start_main')
	check "$1: stacks reach the start ($reached %)" \
		awk -v reached="$reached" 'BEGIN { exit !(reached >= 99) }'
	failed=$(share "$1.er" '<Stack-unwind-failed>')
	# One tick of a short run may be more than a thousandth of it.
	check "$1: no walk had to give up ($failed %)" \
		awk -v failed="$failed" -v ticks="$ticks" \
		'BEGIN { exit !(failed <= 0.1 || failed * ticks <= 100 * 1.5) }'
}

# 250 functions for the compiler, each of a few loops and a switch.
awk 'BEGIN {
	for (i = 1; i <= 250; i++) {
		printf "__attribute__((noinline)) int f%d(int a, int *b) { int r = %d; ", i, i
		printf "for (int i = 0; i < a; i++) switch (b[i] %% 7) { case 0: r ^= i * %d; ", i
		print "break; case 1: b[i] = r; break; default: r -= b[a - i]; } return r; }"
	}
}' >source.c
collect -p hi -A off -o cc1.er "$(gcc -print-prog-name=cc1)" -quiet -O2 source.c -o source.s \
	2>collect.log
is $? 0 "cc1 is recorded"
reaches_start cc1

if python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))'); then
	cat >program.py <<'END'
import json, random, re

random.seed(1)
text = json.dumps([[random.random(), str(i)] for i in range(40000)])
print(len(text), len(re.findall(r"0\.1\d+5", text)))
print(sum(sorted(json.loads(text), key=lambda pair: pair[1])[7][0] > x / 100 for x in range(100)))
END
	"$python" program.py >alone
	collect -p hi -A off -o python3.er "$python" program.py >recorded 2>collect.log
	is $? 0 "python3 is recorded"
	is "$(cat recorded)" "$(cat alone)" "python3 prints the same"
	reaches_start python3
else
	skip "no python3" "python3"
fi
done_testing
