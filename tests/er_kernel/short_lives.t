#!/bin/sh
# Each of many short processes has the time that the kernel has counted for it, however rare the samples are.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

cp /bin/true short_true
for period in hi on lo; do
	without_loss $period.er er_kernel -A off -q 0 -p $period -o $period.er \
		"$BUILD/tests/er_kernel/programs/spawns" 100 ./short_true >truth
	ok $? "-p $period: nothing is lost"
	er_export --format=csv --metric=kcpu,totalcpu -o - $period.er >spent 2>/dev/null
	"$TESTDIR/short_lives.py" truth spent >compared
	note "$(cat compared)"
	check "-p $period: the time of all is what the kernel has counted" grep -q '^the sum is right' compared
	check "-p $period: so is that of each" grep -q 'each is right$' compared
done
done_testing
