#!/bin/sh
# The unwinder, asked after every single instruction, agrees with a shadow stack of the calls made:
# at least 99.5 % of the stacks are equal to it, at most 0.1 % differ; the others end early and say
# so. Steps at which the program has overwritten its own return addresses have no truth.

. "$TOP/tests/lib/tap.sh"

truth=$BUILD/tests/collector/preload/truth.so
programs=$BUILD/tests/collector/programs

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP the unwinder knows x86-64 only"
	exit 0
fi

# agree STEPS NAME COMMAND...: up to STEPS steps, but no fewer than $least. What COMMAND prints alone is also what it prints when stepped.
agree() {
	steps=$1
	name=$2
	shift 2
	rm -f result
	[ "$compared" = no ] || "$@" >alone 2>&1
	timeout 120 env TRUTH_OUT="$PWD/result" TRUTH_STEPS="$steps" LD_PRELOAD="$truth" \
		"$@" >stepped 2>&1
	is "$?" 0 "$name ends well"
	[ "$compared" = no ] || is "$(cat stepped)" "$(cat alone)" "$name prints the same"
	note "$(head -n 1 result)"
	# shellcheck disable=SC2016
	check "the stacks of $name are the true ones" awk -v least="$least" '
		NR == 1 {
			steps = $2 - $12
			if (steps < least) { print "only", steps, "steps"; bad = 1 }
			if ($4 < 0.995 * steps) { print "equal", $4 / steps; bad = 1 }
			if ($6 > 0.001 * steps) { print "wrong", $6 / steps; bad = 1 }
		}
		{ print }
		END { exit bad || !NR }' result
}

least=100000
agree 110000 "a program of many ways to call" "$programs/walks" 3
least=30000
agree 60000 "a program that throws" "$programs/exceptions" 3
agree 40000 ls ls /

# Windows of steps all over a longer run.
TRUTH_PERIOD=4000 TRUTH_WINDOW=500 least=1000
export TRUTH_PERIOD TRUTH_WINDOW
cat >source.c <<'END'
int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * a[n - i]; return s; }
END
for i in 1 2 3 4 5 6; do
	sed "s/f(/f$i(/" source.c
done >more.c
agree 10000 cc1 "$(gcc -print-prog-name=cc1)" -quiet -O2 more.c -o more.s
if python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))'); then
	agree 20000 python3 "$python" -c \
		'import json; print(sum(len(json.dumps([i / 7])) for i in range(20000)))'
fi
if command -v openssl >/dev/null; then
	compared=no
	agree 15000 openssl openssl speed -seconds 1 -bytes 1024 -evp aes-128-gcm
fi
done_testing
