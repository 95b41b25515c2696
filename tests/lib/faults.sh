# shellcheck shell=sh
# Runs of one command that are cut off, or meet an error, at one system call after the other. Source this file
# after tap.sh. The test defines prepare, which makes what the command needs, and holds STATUS, which fails if
# something is wrong afterwards.

# Every call is tried with FAULT_STEP=1 (make faults); a plain test run takes samples, others in each sweep.
FAULT_STEP=${FAULT_STEP:-70}
ER_THREADS=1
# The leak checker needs ptrace for itself.
ASAN_OPTIONS=detect_leaks=0
export ER_THREADS ASAN_OPTIONS

sweep_faults=0
sweep_number=0

# calls_before_main COMMAND...: how many calls a sanitizer makes before it; it may wait for ever for one that fails.
calls_before_main() {
	if grep -q __asan_init "$(command -v "$1")"; then
		# shellcheck disable=SC2086
		fault $sweep_options 0 "$1" --version 2>&1 >sweep.out | tail -n 1
	else
		echo 0
	fi
}

# sweep TEXT STEP [-e ERROR [-s CALLS]] -- COMMAND...
sweep() {
	sweep_text=$1
	sweep_step=$2
	sweep_options=
	shift 2
	while [ "$1" != -- ]; do
		sweep_options="$sweep_options $1"
		shift
	done
	shift
	sweep_step=$((2 * sweep_step))
	[ "$FAULT_STEP" -lt "$sweep_step" ] && sweep_step=$FAULT_STEP

	prepare
	# shellcheck disable=SC2086
	sweep_total=$(fault $sweep_options 0 "$@" 2>&1 >sweep.out | tail -n 1)
	# A short command is tried at four calls at least.
	[ $((sweep_total / 5)) -lt "$sweep_step" ] && sweep_step=$((sweep_total / 5 + 1))
	sweep_bad=0
	sweep_runs=0
	sweep_at=$(($(calls_before_main "$@") + 1 + sweep_number * 7 % sweep_step))
	sweep_number=$((sweep_number + 1))
	while [ "$sweep_at" -le "$sweep_total" ]; do
		prepare
		# shellcheck disable=SC2086
		fault $sweep_options "$sweep_at" "$@" >sweep.out 2>&1
		sweep_status=$?
		# At a call of its own, a sanitizer may not have learned the options above.
		if grep -q 'LeakSanitizer does not work under ptrace' sweep.out; then
			sweep_at=$((sweep_at + 1))
			continue
		fi
		if ! holds $sweep_status >sweep.why 2>&1; then
			sweep_bad=$((sweep_bad + 1))
			note "at call $sweep_at$sweep_options:"
			sed 's/^/#   /' sweep.out sweep.why
		fi
		sweep_runs=$((sweep_runs + 1))
		sweep_at=$((sweep_at + sweep_step))
	done
	sweep_faults=$((sweep_faults + sweep_runs))
	[ "$sweep_runs" -gt 2 ] && [ "$sweep_bad" = 0 ]
	ok $? "$sweep_text ($sweep_runs of $sweep_total calls tried)"
}

# sweep_all TEXT STEP COMMAND...: every kind of fault at any call.
sweep_all() {
	sweep_all_text=$1
	sweep_all_step=$2
	shift 2
	sweep "$sweep_all_text killed" "$sweep_all_step" -- "$@"
	for sweep_all_error in ENOSPC EIO EINTR; do
		sweep "$sweep_all_text $sweep_all_error" "$sweep_all_step" -e $sweep_all_error -- "$@"
	done
}

done_sweeping() {
	note "$sweep_faults faults injected"
	done_testing
}

fault -e EIO -s openat 0 true 2>/dev/null >&2 || {
	skip 'this sandbox does not allow ptrace' 'faults'
	done_testing
}
