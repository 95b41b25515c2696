#!/bin/sh
# The page in a browser: it shows the figures of er_print, follows the mouse and the keys, and asks for nothing.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! PYTHONPATH=$TESTDIR python3 -c 'import browser, sys; sys.exit(not browser.find())'; then
	skip 'there is no Chromium' 'the page in a browser'
	done_testing
fi

cat >program.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <time.h>
static volatile double sum;
static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}
__attribute__((noinline)) void work_little(double until)
{
	while (used() < until)
		for (int i = 0; i < 10000; i++)
			sum += i;
}
__attribute__((noinline)) void work_much(double until)
{
	while (used() < until)
		for (int i = 0; i < 10000; i++)
			sum -= i;
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) void share(void)
{
	pthread_mutex_lock(&lock);
	usleep(20000);
	pthread_mutex_unlock(&lock);
}
__attribute__((noinline)) void store(void)
{
	FILE *file = fopen("stored", "w");

	fprintf(file, "a line\n");
	fclose(file);
}
__attribute__((noinline)) void *work(void *depth)
{
	if (depth)
		return work((char *)depth - 1);
	for (int i = 1; i <= 5; i++) {
		free(malloc(1000));
		if (i % 2)
			depth = malloc(100 * i);
		share();
		store();
		work_little(used() + .03);
		work_much(used() + .07);
	}
	return depth;
}
int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, (void *)3);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
check 'a program' cc -g -O1 -fno-optimize-sibling-calls -pthread -o program program.c
collect -A off -H on -s all -i on -p hi -o test.er ./program 2>err
check 'a page' er_html -q -o page.html test.er
PYTHONPATH=$TESTDIR timeout -k 5 400 python3 "$TESTDIR/page.py" page.html test.er >tried 2>err
is "$? $(cat err)" '0 ' 'all is tried'
while read -r result text; do
	case $result in
	good) ok 0 "$text" ;;
	bad) ok 1 "$text" ;;
	*) note "$text" ;;
	esac
done <tried
done_testing
