#!/bin/sh
# More experiments than there are descriptors: descendants of one, and members of a group. The output does not
# depend on how many files may be open.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/../er_export/make-experiment" one.er || exit
mkdir other && "$TESTDIR/../er_export/make-experiment" other/one.er || exit
i=2
while [ $i -le 150 ]; do
	cp -R one.er/_f1.er one.er/_f$i.er
	i=$((i + 1))
done
echo '#analyzer experiment group' >all.erg
i=1
while [ $i -le 120 ]; do
	cp -R other/one.er test.$i.er
	echo test.$i.er >>all.erg
	i=$((i + 1))
done

# same COMMAND...: it does the same with 40 descriptors as without a limit.
same() {
	"$@" >expected 2>&1
	status=$?
	prlimit --nofile=40 "$@" >got 2>&1
	is "$?" $status "with few descriptors: $*"
	check 'no output differs' cmp expected got
}
same er_print -exp_list -header all -functions -statistics all -sample_list -objects -archive all -heap one.er
is "$(er_print -header one.er | grep -c 'Experiment: ')" 151 'all descendants are there'
same er_print -exp_list -header all -functions -statistics all -sample_list -objects -archive all -heap all.erg
same er_print -functions one.er all.erg
same er_print -functions one.er/_f7.er one.er/_f8.er all.erg
same er_export --text one.er
same er_export --text all.erg
same er_archive --check one.er
same er_rm -n --older-than=1m one.er

# A descendant with an almost empty log takes little memory: a bundle of half a million is small.
mkdir small.er && echo '<experiment version="12.4"></experiment>' >small.er/log.xml
i=1
while [ $i -le 2000 ]; do
	mkdir small.er/_f$i.er && cp small.er/log.xml small.er/_f$i.er
	i=$((i + 1))
done
kilobytes=$(python3 -c '
import resource, subprocess
subprocess.run(["er_print", "-experiment_list", "small.er"], stdout=open("list", "w"),
               stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)')
is "$(wc -l <list)" 2003 'small descendants are there'
if nm "$BUILD/lib/libexpt.a" 2>/dev/null | grep -q __asan_init; then
	skip 'a sanitizer takes memory for itself' 'memory for 2,000 of them'
else
	check "$kilobytes KB are enough for 2,000 of them" [ "$kilobytes" -lt 40000 ]
fi
done_testing
