#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/readers.sh"
# Every command of gp-display-text prints the figures that er_print prints, on recordings of both recorders and on
# experiments made by hand. commands.py has the list of the differences that are meant.

if ! command -v gp-display-text >/dev/null; then
	skip "gprofng is not installed" "all commands print the figures of gprofng"
	done_testing
fi

cat >prog.c <<-END
	#include <pthread.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>

	#define NOINLINE __attribute__((noinline))

	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	static volatile double sink;

	NOINLINE double burn(int count)
	{
		double sum = 1;

		for (int i = 0; i < count; i++)
			sum = sum * 1.0001 + 0.5;
		return sum;
	}

	NOINLINE double left(int count)
	{
		return burn(count) + burn(count / 2);
	}

	NOINLINE double right(int count)
	{
		double sum = 0;

		for (int i = 0; i < count; i++)
			sum += i * 0.5;
		return sum + burn(count / 4);
	}

	NOINLINE void *keep(size_t size)
	{
		return malloc(size);
	}

	NOINLINE void allocate(void)
	{
		for (int i = 0; i < 50; i++) {
			void *block = keep(100 + i);

			if (i % 5)
				free(block);
		}
	}

	NOINLINE int files(void)
	{
		FILE *file = tmpfile();
		char bytes[5000];
		int good = 0;

		memset(bytes, 1, sizeof(bytes));
		for (int i = 0; i < 20; i++)
			good += write(fileno(file), bytes, sizeof(bytes)) > 0;
		lseek(fileno(file), 0, 0);
		for (int i = 0; i < 10; i++)
			good += read(fileno(file), bytes, 1000) > 0;
		return good + fclose(file);
	}

	NOINLINE void *work(void *unused)
	{
		for (int i = 0; i < 20; i++) {
			pthread_mutex_lock(&mutex);
			sink += left(1000000);
			pthread_mutex_unlock(&mutex);
			sink += right(2000000);
		}
		allocate();
		return unused;
	}

	int main(void)
	{
		pthread_t threads[3];

		for (int i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, work, NULL);
		work(NULL);
		sink += files();
		for (int i = 0; i < 3; i++)
			pthread_join(threads[i], NULL);
		return 0;
	}
END
# gprofng 2.40 reads version 4 of debug data, and has rows for gaps where code does not follow the headers.
cc -gdwarf-4 -O1 -pthread -Wl,-z,noseparate-code -o prog prog.c

# agree EXPERIMENT...
agree() {
	python3 "$TOP/tests/end_to_end/commands.py" "$@" >differences 2>&1
	ok $? "the commands run: $*"
	is "$(grep -v '^same' differences)" "" "all figures are the same: $*"
	ok $(($(grep -c '^same .* -functions: [1-9][0-9]' differences) < 1)) "there are functions: $*"
	note "$(grep -c '^same' differences) commands"
}

build_shape shape
SHAPE=$PWD/shape
export SHAPE
"$TOP/tests/er_print/make-experiments" shape.er second.er family.er waits.er messages.er io.er io_second.er
"$TOP/tests/er_print/make-heap" heap.er heap_more.er none.er
"$TOP/tests/er_print/make-counters" counters.er
"$TOP/tests/er_print/make-omp" "$SHAPE" omp.er linux.er
for experiment in shape family waits messages io io_second heap heap_more counters omp; do
	agree $experiment.er
done

if command -v collect >/dev/null; then
	# Traced calls have no processor, which gp-display-text counts as number 0 only if others are there.
	pinned=$(taskset -c 0 true 2>/dev/null && echo taskset -c 0)
	# shellcheck disable=SC2086 # a command, or none
	check "a program is recorded" $pinned collect -A copy -p on -H on -s all -i on -o ours.er ./prog
	agree ours.er
else
	skip "there is no collect" "recordings"
fi
if gp-collect-app -p on -H on -s all -i on -o theirs.er ./prog >recorded 2>&1; then
	agree theirs.er
else
	skip "gp-collect-app does not work here" "gprofng's recordings"
fi
done_testing
