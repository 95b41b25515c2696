#!/bin/sh
# Programs of the system, which have no frame pointers: their stacks are whole.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

awk 'BEGIN {
	for (i = 0; i < 25; i++) {
		print "struct node" i " { struct node" i " *left, *right; int value; };"
		print "static struct node" i " *insert" i "(struct node" i " *tree, int value) { if (!tree) return 0;"
		print "if (value < tree->value) tree->left = insert" i "(tree->left, value);"
		print "else tree->right = insert" i "(tree->right, value); return tree; }"
		print "int use" i "(void *tree, int n) { for (int k = 0; k < n; k++) insert" i "(tree, k); return n; }"
	}
}' >many.c
cat >script.py <<'END'
import json, re
data = [{"a": i, "b": str(i) * 5} for i in range(20000)]
for k in range(4):
    json.loads(json.dumps(data))
    re.findall("(a+)+b", "a" * 17)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
fibonacci(21)
END
cat >script.sh <<'END'
f() { local i; for ((i = 0; i < 3000; i++)); do x=$((x + i)); y=${x//1/2}; done; }
for k in {1..10}; do f; done
for j in {1..20}; do /bin/true; done
END

# whole PROGRAM COMMAND...: record it, and count the time at stacks that are not whole
whole() {
	program=$1
	shift
	if ! command -v "$1" >/dev/null; then
		skip "there is no $1" "$program"
		return
	fi
	without_loss k.er er_kernel -p hi -q 0 -o k.er "$@" >/dev/null
	ok $? "$program: nothing is lost"
	er_print -limit 1000000 -metrics i.totalcpu:name -functions k.er 2>/dev/null |
		awk '$2 == "<Total>" { total = $1 }
			/<Truncated-stack>/ { cut = $1 }
			/<Stack-unwind-failed>/ { failed = $1 }
			END { printf "%.3f %.3f %.3f\n", total, cut, failed }' >sums
	read -r total cut failed <sums
	note "$program: $total seconds, $cut at truncated stacks, $failed at others that are not whole"
	check "$program: 99 of 100 stacks are whole" \
		awk -v all="$total" -v bad="$cut" -v worse="$failed" 'BEGIN { exit !(all > 0.05 && bad + worse <= all / 100) }'
}
whole gcc gcc -O2 -c many.c -o many.o
whole python3 "$(command -v /usr/bin/python3 || command -v python3)" script.py
whole bash bash script.sh
done_testing
