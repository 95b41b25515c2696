# shellcheck shell=sh
# Functions for tests of the commands of gdb. Source this file after tap.sh.

if ! command -v gdb >/dev/null; then
	echo "1..0 # SKIP there is no gdb"
	exit 0
fi
unset DEBUGINFOD_URLS

# debug WORDS COMMAND...: gdb with these words at its end, as "--args PROGRAM ARGUMENTS", gets the commands. Shows them
# and what gdb says, without its remarks on threads and the names of the system's libraries.
debug() {
	debug_words=$1
	shift
	for debug_command; do
		set -- "$@" -ex "echo > $debug_command\\n" -ex "$debug_command"
		shift
	done
	# shellcheck disable=SC2086 # words
	timeout 120 gdb -nx -q -batch -iex "source $BUILD/lib/erkit/gdb/collector.py" "$@" $debug_words </dev/null 2>&1 |
		sed -e '/libthread_db/d' -e '/^\[New /d' -e '/^\[Thread .*exited\]$/d' -e '/^\[Detaching after /d' \
			-e "s|$PWD|HERE|g" -e 's/(process [0-9]*)/(process N)/'
}

# same_as FILE TEXT COMMAND...: the output of the command is that of FILE, beside the test. UPDATE=1 rewrites it.
same_as() {
	same_as_file=$TESTDIR/$1
	same_as_text=$2
	shift 2
	"$@" >same_as.found
	[ -z "$UPDATE" ] || cp same_as.found "$same_as_file"
	check "$same_as_text" diff "$same_as_file" same_as.found
}

# ended EXPERIMENT: its recording was ended, not cut off.
ended() {
	grep -q -a '<event kind="exit"' "$1/log.xml"
}

# labels EXPERIMENT: of its samples, one a line.
labels() {
	sed -n 's/.*kind="sample".* label="\([^"]*\)".*/\1/p' "$1/log.xml"
}
