#!/bin/sh
# shellcheck disable=SC2317 # check runs the functions
# The totals of all metrics, compared with those of gp-display-text.
. "$TOP/tests/lib/tap.sh"

cat >prog.c <<-END
	#include <pthread.h>
	#include <stdlib.h>
	#include <time.h>
	#include <unistd.h>

	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	static void *wait_for_it(void *argument)
	{
		pthread_mutex_lock(&mutex);
		return NULL;
	}

	int main(int count, char **words)
	{
		char *volatile block = malloc(1000);
		clock_t start = clock();
		pthread_t thread;
		int pipes[2];
		char byte;

		while (clock() - start < CLOCKS_PER_SEC / 10)
			;
		pthread_mutex_lock(&mutex);
		pthread_create(&thread, NULL, wait_for_it, NULL);
		usleep(atoi(words[1]));
		pthread_mutex_unlock(&mutex);
		pthread_join(thread, NULL);
		if (pipe(pipes) < 0)
			return 1;
		if (fork() == 0) {
			usleep(atoi(words[2]));
			return write(pipes[1], "x", 1) != 1;
		}
		return read(pipes[0], &byte, 1) != 1;
	}
END
gcc -O1 -pthread -o prog prog.c
collect -s all -H on -i on -o wait.er ./prog 300000 100 2>/dev/null
collect -s all -i on -o read.er ./prog 100 300000 2>/dev/null
collect -p off -H on -o heap.er ./prog 0 0 2>/dev/null

# without_last_digit: so that times which differ by a thousandth are the same. In totals of waits the peer leaves out
# what is below a microsecond, before it rounds.
without_last_digit() {
	paste -d '\n' theirs ours | awk '
		function time() { return match($0, /[0-9]+\.[0-9]+/) ? substr($0, RSTART, RLENGTH) : "" }
		function rest(number) { return number == "" ? $0 : substr($0, 1, RSTART - 1) "N" substr($0, RSTART + RLENGTH) }
		NR % 2 { number = time(); text = rest(number); line = $0; next }
		/\(Seconds\)/ && !/CPU/ {
			own = time(); differs = own - number; near = differs < .0015 && differs > -.0015
			if (near && rest(own) == text) $0 = line
		}
		{ print }' >near
	mv near ours
}
# The kinds are in another order there.
same() { # EXPERIMENT
	er_print -overview "$1" | sort >ours
	gp-display-text -overview "$1" | sort >theirs
	without_last_digit
	diff theirs ours >differences || sed 's/^/# /' differences
	[ "$(wc -l <ours)" -gt 12 ] && [ ! -s differences ]
}
check "a program that waits for a lock" same wait.er
check "a program that waits for data" same read.er
check "without clock profiling" same heap.er
# With ticks of half a millisecond, half of the times lie in the middle between two that have three digits.
for i in 1 2 3 4; do
	collect -o half.$i.er ./prog 1000 1000 2>/dev/null
	sed -i 's/ptimer="1"/ptimer="500"/' half.$i.er/log.xml half.$i.er/_f1.er/log.xml
	check "times that end in half a millisecond ($i)" same half.$i.er
done
# is_hot EXPERIMENT: whether each wait is marked if it is at least a tenth of the CPU time
is_hot() {
	er_print -overview "$1" | awk -F'[][]' '
		/ Time - / { value = $4; sub(/\*/, "", value) }
		/Total CPU Time/ { cpu = value }
		/Sync Wait Time|Read Time/ { n++; is_right += ($4 ~ /\*/) == (value * 10 >= cpu) }
		END { print n - is_right " wrong of " n }'
}
is "$(is_hot wait.er), $(is_hot read.er)" "0 wrong of 2, 0 wrong of 2" "long waits are hot, short ones are not"
check "a long one is" sh -c "er_print -overview wait.er | grep -q 'Sync Wait Time.*\\*'"
is "$(er_print -metrics e.user:name -overview wait.er | sed -n 's/.*\[X\]\([A-Z][a-zA-Z ]* -\).*/\1/p')" \
	"User CPU Time -" "the metrics that lists show are marked"

total() { # EXPERIMENT...
	er_print -overview "$@" | sed -n 's/.*heapallocbytes: \[\*\([0-9]*\)\]/\1/p'
}
is "$(total wait.er heap.er)" $(($(total wait.er) + $(total heap.er))) "totals are over all experiments"
is "$(er_print -overview wait.er heap.er | grep -c '^Experiment  .*plus 1 more')" 2 \
	"each experiment is described"
done_testing
