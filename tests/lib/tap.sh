# shellcheck shell=sh
# Functions for tests that print TAP. Source this file, call ok/is/skip for each fact, and done_testing at the
# end. A test without done_testing has no plan and fails.

tap_count=0
tap_failed=0

# ok STATUS TEXT: the fact TEXT holds if STATUS is 0.
ok() {
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_count - $2"
	else
		tap_failed=$((tap_failed + 1))
		echo "not ok $tap_count - $2"
		return 1
	fi
}

# check TEXT COMMAND...: the fact TEXT holds if the command succeeds; its output is shown if not.
check() {
	tap_text=$1
	shift
	if tap_output=$("$@" 2>&1); then
		ok 0 "$tap_text"
	else
		ok 1 "$tap_text"
		echo "$tap_output" | sed 's/^/# /'
		return 1
	fi
}

# is ACTUAL EXPECTED TEXT
is() {
	if [ "$1" = "$2" ]; then
		ok 0 "$3"
	else
		ok 1 "$3"
		printf '%s\n' "got:" "$1" "expected:" "$2" | sed 's/^/# /'
		return 1
	fi
}

# skip REASON TEXT
skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $2 # SKIP $1"
}

note() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

done_testing() {
	echo "1..$tap_count"
	[ "$tap_failed" = 0 ]
	exit
}
