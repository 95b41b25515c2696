#!/bin/sh
# Views of the page that show more than functions: they show the figures of er_print, and follow mouse and keys.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! PYTHONPATH=$TESTDIR python3 -c 'import browser, sys; sys.exit(not browser.find())'; then
	skip 'there is no Chromium' 'the views of the page in a browser'
	done_testing
fi

# Print the results of a program that looks at a page.
look() {
	name=$1
	shift
	PYTHONPATH=$TESTDIR timeout -k 5 400 python3 "$TESTDIR/$name.py" "$@" >tried 2>err
	is "$? $(cat err)" '0 ' "all of $name is tried"
	while read -r result text; do
		case $result in
		good) ok 0 "$text" ;;
		bad) ok 1 "$text" ;;
		*) note "$text" ;;
		esac
	done <tried
}

cat >inlined.h <<'END'
static inline double squared(double value)
{
	double root = value;
	for (int i = 0; i < 1000; i++)
		root = root * 0.999 + value;
	return root;
}
END
cat >program.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "inlined.h"
static volatile double sum;
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static char *volatile kept;

static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}
__attribute__((noinline)) void work(double until)
{
	while (used() < until)
		for (int i = 0; i < 100; i++)
			sum += squared(i);	/* a tab, then <b>markup</b> */
}
__attribute__((noinline)) double recursive(int depth, double until)
{
	if (depth > 0)
		return recursive(depth - 1, until) + 1;
	work(until);
	return 0;
}
__attribute__((noinline)) void use(pthread_mutex_t *mutex)
{
	struct timespec nap = { .tv_nsec = 20000000 };

	pthread_mutex_lock(mutex);
	nanosleep(&nap, NULL);
	pthread_mutex_unlock(mutex);
}
static void *wait_for(void *arg)
{
	for (int i = 0; i < 3; i++)
		use(&first);
	use(&second);
	return NULL;
}
__attribute__((noinline)) void transfer(const char *name, int count)
{
	static char bytes[4096];
	int file = open(name, O_RDWR | O_CREAT, 0600);

	for (int i = 0; i < count; i++)
		if (write(file, bytes, sizeof(bytes)) < 0)
			exit(1);
	close(file);
}
__attribute__((noinline)) void allocate(int count, size_t size)
{
	for (int i = 0; i < count; i++) {
		free(malloc(size));
		kept = malloc(size / 2);
	}
}
int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, wait_for, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	transfer("little", 3);
	transfer("much", 20);
	allocate(5, 1000);
	allocate(7, 100);
	recursive(3, used() + .4);
	return 0;
}
END
check 'a program' cc -g -O1 -fno-optimize-sibling-calls -pthread -o program program.c
collect -A off -p hi -H on -s all -i on -o test.er ./program 2>err
check 'a page' er_html -q -o page.html test.er
look views_code page.html test.er
look views_traced page.html test.er

# Threads with small numbers, where that is allowed, use all locks and files on one path.
cat >shared.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#define THREADS 6
#define EACH	12
static pthread_mutex_t locks[EACH];
static int files[EACH];
static void *use_all(void *arg)
{
	long number = (long)arg;

	for (int i = 0; i < EACH; i++)
		for (int j = 0; j < (number + 1) * (i + 1); j++) {
			pthread_mutex_lock(&locks[i]);
			if (write(files[i], "", 1) < 0)
				return NULL;
			pthread_mutex_unlock(&locks[i]);
		}
	return NULL;
}
int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < EACH; i++) {
		char name[32];

		snprintf(name, sizeof(name), "file%d", i);
		pthread_mutex_init(&locks[i], NULL);
		files[i] = open(name, O_WRONLY | O_CREAT, 0600);
	}
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, use_all, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
END
check 'a program whose threads share locks and files' cc -g -O1 -pthread -o shared shared.c
apart=
unshare -p -f true 2>/dev/null && apart='unshare -p -f'
$apart collect -A off -p off -s all -i on -o shared.er ./shared 2>err
check 'a page of them' er_html -q -o shared.html shared.er
look views_subjects shared.html shared.er

cat >touch.c <<'END'
#include <stdio.h>
#include <sys/mman.h>
struct inner { short tag; int values[3]; };
struct node {
	struct node *next;
	char kind;
	long value;
	struct inner inner;
	char crossing[16], room[60];
} __attribute__((aligned(4096)));
long counter __attribute__((aligned(4096)));
__attribute__((noinline)) static void *push(struct node *head, struct node *new, long value)
{
	new->value = value;
	new->next = head;
	return new;
}
__attribute__((noinline)) static void deep(struct node *node, int i)
{
	node->inner.values[i % 3] = i;
}
int main(void)
{
	struct node *list = mmap(NULL, 140 * sizeof(*list), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct node *head = NULL;

	for (int i = 0; i < 100; i++)
		head = push(head, &list[i], i);
	for (int i = 100; i < 140; i++)
		deep(&list[i], i);
	counter = head->value;
	return counter != 99;
}
END
cc -g -O0 -o touch touch.c 2>err
collect -A off -p off -h +page-faults,1 -o faults.er ./touch 2>err
if [ -n "$(er_print -data_objects faults.er 2>/dev/null)" ]; then
	check 'a page of data objects' er_html -q -o data.html faults.er
	look views_data data.html faults.er
else
	skip 'page faults cannot be counted here' 'data objects in the page'
fi

cat >phases.c <<'END'
#include <stdlib.h>
#include <time.h>
static volatile double sum;
static double used(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}
#define PHASE(name) __attribute__((noinline)) double name(double seconds) { \
	for (double end = used() + seconds; used() < end; ) \
		for (int i = 0; i < 100000; i++) sum += i; \
	return sum; }
PHASE(same)
PHASE(more)
PHASE(less)
int main(int argc, char *argv[])
{
	same(.2);
	more(atof(argv[1]));
	less(atof(argv[2]));
	return 0;
}
END
check 'a program with phases' cc -g -O2 -o phases phases.c
collect -A off -p hi -o before.er ./phases .1 .5 2>err
collect -A off -p hi -o after.er ./phases .5 .1 2>err
check 'a page of a comparison' er_html -q --compare -o compared.html before.er after.er
look views_difference compared.html before.er after.er

check 'a page without source' er_html -q --source-limit=0 -o small.html test.er
is "$(PYTHONPATH=$TESTDIR python3 -c '
from browser import Browser
browser = Browser()
browser.open("small.html", "view=code")
print(browser.evaluate("page.offered.map(([name]) => name).join()"))
browser.close()')" 'summary,lanes,flame,functions,callers,tree,locks,io,heap,experiments' \
	'there are views only of what is in the file'
er_html --source-limit=much -o no.html test.er 2>err
is "$? $(sed 1q err)" "2 er_html: 'much' is not a size: use a number followed by k, M, G or T" 'a limit that is no size'
done_testing
