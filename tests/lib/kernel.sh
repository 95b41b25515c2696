# shellcheck shell=sh
# For tests that record the kernel: they end here where that is not permitted.

if ! er_kernel -n -t 1 >/dev/null 2>why; then
	skip "$(sed 's/^er_kernel: //' why)" 'recording the kernel'
	done_testing
fi
rm -f why
