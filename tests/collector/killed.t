#!/bin/sh
# A recording that is killed while a file of it is made leaves an experiment that tools know.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/record.sh
. "$TOP/tests/lib/record.sh"

strace -qq -o trace -e trace=none true 2>/dev/null || {
	skip 'strace is not there, or not allowed' 'a killed recording'
	done_testing
}

# Only longer files are made under another name: the arguments are in the log.
long=$(printf '%06000d' 0)
mkdir killed.er
# Messages of the shells about the kill are of no interest.
(strace -qq -f -o trace -e inject=renameat2:signal=KILL:when=1 \
	-E SP_COLLECTOR_EXPNAME="$PWD/killed.er" -E SP_COLLECTOR_PARAMS='S:1;F:3;p:1000;a:off;' \
	-E SP_COLLECTOR_PRELOAD="$library" -E LD_PRELOAD="$library" sh -c : "$long"; :) 2>/dev/null
check 'it was killed' grep -q 'killed by SIGKILL' trace
is "$(find killed.er -name '*log.xml*')" killed.er/.log.xml.record.part 'the log has a hidden name'
check 'it can be removed' er_rm killed.er
done_testing
