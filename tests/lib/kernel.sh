# shellcheck shell=sh
# For tests that record the kernel: they end here where that is not permitted. One of them changes settings of the
# kernel, while the others wait.
exec 9>"${TMPDIR:-/tmp}/erkit-test.kernel"
flock -s 9

if ! er_kernel -n -t 1 >/dev/null 2>why; then
	skip "$(sed 's/^er_kernel: //' why)" 'recording the kernel'
	done_testing
fi
rm -f why

# without_loss EXPERIMENT COMMAND...: record it, again where a busy machine lets the kernel lose records, or er_kernel skip
# them; what is said is in the file err
without_loss() {
	experiment=$1
	shift
	for _ in 1 2 3 4 5; do
		rm -rf "$experiment"
		"$@" 2>err
		grep -q -e lost -e skipped err || return 0
		note "$(cat err)"
	done
	return 1
}
