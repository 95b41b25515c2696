#!/bin/sh
# The unwinder, asked after every single instruction, agrees with a shadow stack of the calls made: at least
# 99.5 % of the stacks are equal to it, at most 0.1 % differ, and the others end early and say so. Steps at
# which the program has overwritten its own return addresses have no truth.
#
# With TRUTH_LONG=1 (make truth) it asks a million times in each of the programs that matter most.

. "$TOP/tests/lib/tap.sh"

truth=$BUILD/tests/collector/preload/truth.so
programs=$BUILD/tests/collector/programs

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP the unwinder knows x86-64 only"
	exit 0
fi

# agree STEPS NAME COMMAND...: up to STEPS steps, but no fewer than $least. COMMAND must print the same when
# stepped as alone.
agree() {
	steps=$1
	name=$2
	shift 2
	rm -f result
	[ "$compared" = no ] || "$@" >alone 2>&1
	timeout 500 env TRUTH_OUT="$PWD/result" TRUTH_STEPS="$steps" LD_PRELOAD="$truth" \
		"$@" >stepped 2>&1
	is "$?" 0 "$name ends well"
	[ "$compared" = no ] || is "$(cat stepped)" "$(cat alone)" "$name prints the same"
	note "$name: $(head -n 1 result)"
	head -n 1 result >>results
	# shellcheck disable=SC2016
	check "the stacks of $name are true" awk -v least="$least" '
		NR == 1 {
			steps = $2 - $12
			if (steps < least) { print "only", steps, "steps"; bad = 1 }
			if ($4 < 0.995 * steps) { print "equal", $4 / steps; bad = 1 }
			if ($6 > 0.001 * steps) { print "wrong", $6 / steps; bad = 1 }
		}
		{ print }
		END { exit bad || !NR }' result
}

# summarize: all programs together, by the same limits.
summarize() {
	# shellcheck disable=SC2016
	note "$(awk '{ n += $2 - $12; e += $4; w += $6; s += $8 + $10 } END {
		printf "all: %d steps with a truth: %.4f %% equal, %.4f %% short, %.4f %% wrong", n, 100 * e / n, 100 * s / n, 100 * w / n
	}' results)"
}

source_of() { # FUNCTIONS
	for i in $(seq "$1"); do
		echo "int f$i(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * a[n - i] % $i; return s; }"
	done
}

python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
cc1=$(${CC:-gcc} -print-prog-name=cc1 2>/dev/null)

if [ "$TRUTH_LONG" ]; then
	least=1000000
	agree 1010000 "the C library" sort -R --random-source=/dev/zero "$TOP/tests/collector/unwind_truth.t"
	agree 1010000 "a program that throws" "$programs/exceptions" 400
	least=400000
	agree 410000 "a program of many ways to call" "$programs/walks" 50
	# Windows of steps, spread over a longer run.
	export TRUTH_PERIOD=1000 TRUTH_WINDOW=3000
	least=1000000
	source_of 150 >more.c
	agree 1010000 cc1 "$cc1" -quiet -O2 more.c -o more.s
	agree 1010000 python3 "$python" -c \
		'import json, re; print(sum(len(re.sub("[1-3]", "", json.dumps([i / 7]))) for i in range(400000)))'
	summarize
	done_testing
fi

least=100000
agree 110000 "a program of many ways to call" "$programs/walks" 3
least=30000
agree 60000 "a program that throws" "$programs/exceptions" 3
agree 40000 ls ls /

# Windows of steps, spread over a longer run.
TRUTH_PERIOD=4000 TRUTH_WINDOW=500 least=1000
export TRUTH_PERIOD TRUTH_WINDOW
source_of 6 >more.c
agree 10000 cc1 "$cc1" -quiet -O2 more.c -o more.s
if [ "$python" ]; then
	agree 20000 python3 "$python" -c \
		'import json; print(sum(len(json.dumps([i / 7])) for i in range(20000)))'
fi
if command -v openssl >/dev/null; then
	compared=no
	agree 15000 openssl openssl speed -seconds 1 -bytes 1024 -evp aes-128-gcm
fi
summarize
done_testing
