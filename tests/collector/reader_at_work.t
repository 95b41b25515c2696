#!/bin/sh
# Experiments are read while they are recorded, and after the recording was killed at any time: the reader
# finds no damage.
. "$TOP/tests/lib/tap.sh"

cat >busy.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *run(void *argument)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	void *volatile block;
	for (int i = 0;; i++) {
		pthread_mutex_lock(&mutex);
		block = malloc(i % 1000);
		pthread_mutex_unlock(&mutex);
		free(block);
		if (i % 20 == 0)
			usleep(500);
	}
}
int main(void)
{
	pthread_t thread;
	for (int i = 0; i < 7; i++)
		pthread_create(&thread, NULL, run, NULL);
	run(NULL);
}
END
cc -O1 -pthread -o busy busy.c || done_testing

# Ignores only the messages of the shell about the kill.
read_it() { # COUNT OPTIONS
	read_complaints=0
	read_nothing=0
	read_times=0
	while [ $((read_times += 1)) -le "$1" ]; do
		rm -rf live.er
		# shellcheck disable=SC2086
		collect -A off $2 -o live.er ./busy 2>/dev/null &
		read_pid=$!
		while ! grep -aqs 'kind="run"' live.er/log.xml; do
			sleep .01
		done
		sleep "0.0$((read_times * 7 % 10))"
		for read_moment in alive alive alive killed; do
			[ $read_moment = alive ] || {
				kill -9 $read_pid
				wait $read_pid
			} 2>/dev/null
			er_print -functions live.er >functions 2>complaint || read_nothing=$((read_nothing + 1))
			grep -q '<Total>' functions || read_nothing=$((read_nothing + 1))
			if [ -s complaint ]; then
				read_complaints=$((read_complaints + 1))
				note "$read_moment, $2: $(head -n 3 complaint)"
			fi
		done
	done
	is $read_nothing 0 "$2: it can always be read"
	is $read_complaints 0 "$2: and without complaints"
}

read_it 15 '-p 1'
read_it 15 '-H on -s all -i on'
done_testing
