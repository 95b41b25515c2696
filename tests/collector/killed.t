#!/bin/sh
# A recording killed while one of its files is being made leaves an experiment that the tools recognise.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/record.sh
. "$TOP/tests/lib/record.sh"

strace -qq -o trace -e trace=none true 2>/dev/null || {
	skip 'strace is not installed, or not allowed' 'a killed recording'
	done_testing
}

# killed N COMMAND...: the process is killed when the N-th file or directory of its experiment gets its name.
# Messages of the shells about the kill are ignored.
# shellcheck disable=SC2317 # called by check
killed() {
	killed_at=$1
	shift
	rm -rf killed.er
	mkdir killed.er
	# shellcheck disable=SC2086 # two words
	(strace -qq -f -o trace $only -e "inject=renameat2:signal=KILL:when=$killed_at" \
		-E SP_COLLECTOR_EXPNAME="$PWD/killed.er" -E SP_COLLECTOR_PARAMS='S:1;F:3;p:1000;a:off;' \
		-E SP_COLLECTOR_PRELOAD="$library" -E LD_PRELOAD="$library" "$@"; :) 2>/dev/null
	grep -q 'killed by SIGKILL' trace
}

only=
check 'it was killed at its first file' killed 1 true
is "$(find killed.er -name '*map.xml*')" killed.er/.map.xml.record.part 'the map has a hidden name'
check 'it can be removed' er_rm killed.er
check 'it was killed at its last file' killed 3 true
is "$(find killed.er -name '*log.xml*')" killed.er/.log.xml.record.part 'the log has a hidden name'
check 'it can be removed, too' er_rm killed.er
only='-P ._f1.er.record.part'
check 'it was killed at a descendant' killed 1 sh -c '(:); :'
is "$(find killed.er -mindepth 1 -type d | grep -v archives)" killed.er/._f1.er.record.part \
	'the descendant has a hidden name'
check 'it can be opened' er_print -header all killed.er
is "$(find killed.er/._f1.er.record.part -name log.xml)" killed.er/._f1.er.record.part/log.xml \
	'but its files do not'
check 'it can be copied' er_cp killed.er copy.er
is "$(find copy.er -name '.*')" '' 'without that'
check 'it can be removed with that' er_rm killed.er
done_testing
