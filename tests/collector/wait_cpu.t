#!/bin/sh
# Threads that wait for a processor: the samples have as much of it as the program itself reads from the
# scheduler, so it does not matter what else the machine does.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

waits=$programs/wait_cpu
if ! grep -q '[1-9]' /proc/self/schedstat 2>/dev/null; then
	skip "this kernel does not tell how long threads wait for a processor" "waiting for a processor"
	done_testing
fi

# wait_cpu EXPERIMENT: the seconds waiting for a CPU in it, without descendants.
wait_cpu() {
	er_print -statistics 1 "$1" | awk '/Wait CPU/ { print $3 }'
}

# is_near FOUND TOLD TEXT: a thread may wait a little between its own reading and ours.
is_near() {
	awk -v a="$1" -v b="${2:-none}" 'BEGIN { exit !(b != "none" && a > .95 * b - .1 && a < 1.05 * b + .1) }'
	near=$?
	ok $near "$3: ${1:-nothing} s recorded, ${2:-nothing} s told"
	[ $near = 0 ] || for experiment in recorded.er recorded.er/_*.er; do
		[ ! -d "$experiment" ] || er_print -statistics all "$experiment" 2>&1 | sed "s|^|# $experiment: |"
	done
}

# sums EXPERIMENT: in each sample and sum, the states add up to the thread time.
sums() {
	er_print -statistics all -sample_detail all "$1" | awk '
		/Total Thread Time/ { all = $NF; sum = 0 }
		/^ *(User CPU|System CPU|Wait CPU):/ { sum += $3 }
		/^ *Sleep:/ {
			sum += $2
			wrong += sum < all - .003 || sum > all + .003
			count++
		}
		END { print wrong + 0, "of", (count > 2 ? "several" : count), "wrong" }'
}

# situation NAME: the program tells how long its threads waited.
situation() {
	record recorded.er 'p:1000;a:off;' "$waits" "$1" >told 2>err
	is "$?" 0 "$1: it ends well"
	is_near "$(wait_cpu recorded.er)" "$(cat told)" "$1"
	is "$(sums recorded.er)" "0 of several wrong" "$1: the states add up to the thread time"
	check "$1: the reader has no complaint" is_clean recorded.er
}

# Four threads on one CPU for 0.6 s wait for 1.8 s; the thread that started them sleeps.
situation crowded
found=$(wait_cpu recorded.er)
awk -v a="${found:-0}" 'BEGIN { exit !(a > 1.5) }'
ok $? "crowded: three of four threads wait at any time: $found s"
situation one_after_the_other
situation sleeping
situation no_descriptors
# A wait is longer than these samples. A reader would add thread time to one that has more states than that.
situation sampled_often
er_print -statistics 1 recorded.er |
	awk '/Duration/ { lasted = $NF } /Total Thread/ { exit !($NF < 5 * lasted + .01) }'
ok $? "sampled_often: five threads have at most five times the duration"

# Some hundred threads of these are asked, and stand for the others.
record recorded.er 'p:10000;a:off;' "$waits" short_lives 10000 >told 2>err
found=$(wait_cpu recorded.er)
awk -v a="${found:-0}" -v b="$(cat told)" 'BEGIN { exit !(b > .2 && a > .6 * b && a < 1.5 * b) }'
ok $? "short_lives: ${found:-nothing} s recorded, $(cat told) s told"

record recorded.er 'p:1000;a:off;' "$waits" executes >told 2>err
is_near "$(wait_cpu recorded.er)" "$(sed -n 1p told)" "executes: before the exec"
is_near "$(wait_cpu recorded.er/_x1.er)" "$(sed -n 2p told)" "executes: after it"
record recorded.er 'p:1000;a:off;' "$waits" with_child >told 2>err
is_near "$(wait_cpu recorded.er/_f1.er)" "$(sed -n 1p told)" "with_child: the child"
is_near "$(wait_cpu recorded.er)" "$(sed -n 2p told)" "with_child: the parent"
is "$(sums recorded.er)" "0 of several wrong" "with_child: the states add up to the thread time"

# The other reader.
record recorded.er 'p:1000;a:off;' "$waits" crowded >told 2>err
for reader in er_print gp-display-text; do
	$reader -statistics recorded.er 2>/dev/null | grep -E '^ *(Total Thread|User CPU|System CPU|Wait CPU|Sleep)' |
		tr -s ' ' >"$reader.times"
done
is "$(cat er_print.times)" "$(cat gp-display-text.times)" "gp-display-text shows the same times"

# Statically linked programs are looked at from outside, five times in a second.
if ${CC:-cc} -static -O2 -D_GNU_SOURCE -I"$TOP" -pthread -o static "$TESTDIR/programs/wait_cpu.c" 2>/dev/null &&
	"$programs/sampled" has_events; then
	record recorded.er 'p:10007;a:off;' sh -c './static crowded 1.5; :' >told 2>err
	for _ in $(seq 50); do
		grep -aq 'kind="exit"' recorded.er/_f1_x1.er/log.xml 2>/dev/null && break
		sleep .1
	done
	found=$(wait_cpu recorded.er/_f1_x1.er)
	awk -v a="${found:-0}" -v b="$(cat told)" 'BEGIN { exit !(a > b / 2 && a < 1.05 * b + .1) }'
	ok $? "from outside: ${found:-nothing} s recorded, $(cat told) s told, but for the last look"
	is "$(sums recorded.er)" "0 of several wrong" "from outside: the states add up to the thread time"
	er_print -statistics 1 recorded.er/_f1_x1.er |
		awk '/Duration/ { lasted = $NF } /Total Thread/ { exit !($NF > 4 * lasted && $NF < 5 * lasted + .01) }'
	ok $? "from outside: the time of five threads is that of each together"
else
	skip "no static libc, or no events of the kernel" "from outside"
fi

# A directory tree without /proc.
if [ "$(id -u)" = 0 ] && unshare -m sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c '. "$TOP/tests/lib/record.sh"
		mount -t tmpfs none /proc
		record recorded.er "p:1000;a:off;" "$0" crowded' "$waits" >told 2>err
	is "$(wait_cpu recorded.er) $(cat told)" "0. 0.000000" "no /proc: nobody knows of a wait"
	is "$(sums recorded.er)" "0 of several wrong" "no /proc: the states add up to the thread time"
	found=$(er_print -statistics 1 recorded.er | awk '/Sleep/ { print $2 }')
	awk -v a="${found:-0}" 'BEGIN { exit !(a > 2.1) }'
	ok $? "no /proc: what was no CPU time is sleep: $found s"
else
	skip "/proc cannot be hidden here" "no /proc"
fi

# 200 threads, and 50 samples that follow each other closely.
if strace -f -qq -o trace -e trace=openat -e signal=none true 2>/dev/null; then
	record recorded.er 'p:1000;a:off;' \
		strace -f -qq -e signal=none -o trace -e trace=openat "$waits" many_samples >told 2>err
	found=$(grep -c 'task/[0-9]*/schedstat.*= [0-9]' trace)
	[ "$found" -gt 800 ] && awk -v a="$found" -v b="$(cat told)" 'BEGIN { exit !(a < 50 * 16 + 3 * 201 + b / .00256) }'
	ok $? "many_samples: threads take turns when asked, $found times in $(cat told) s"
else
	skip "strace is not installed, or not allowed" "many_samples"
fi
done_testing
