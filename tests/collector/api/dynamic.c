/* SPDX-License-Identifier: Apache-2.0 */
/* Code made at run time: working functions, each announced to the collector by name. */

#include <collectorAPI.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/collector/programs/situation.h"

#define PAGE 4096

/* A loop that counts its argument down and returns, 16 bytes long. */
static const uint8_t countdown[] = {
	0x55,			/* push %rbp */
	0x48, 0x89, 0xe5,	/* mov %rsp,%rbp */
	0x48, 0x83, 0xef, 0x01, /* sub $1,%rdi */
	0x75, 0xfa,		/* jne back to the sub */
	0x5d,			/* pop %rbp */
	0xc3,			/* ret */
};

typedef void (*made_function)(uint64_t);

static char *pages;

static made_function make_at(size_t offset)
{
	return (made_function)memcpy(pages + offset, countdown, sizeof(countdown));
}

static void make_pages(void)
{
	pages = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED)
		exit(77);
}

__attribute__((noinline)) static void work(made_function function, double seconds)
{
	double end = cpu_seconds() + seconds;

	while (cpu_seconds() < end)
		function(100000);
}

static void load(void *at, const char *name)
{
	collector_func_load(name, NULL, NULL, at, sizeof(countdown), 0, NULL);
}

/* Names with all kinds of characters, none at all, lines, a source; one place used by two
 * functions in turn. */
static int functions(char **arguments)
{
	static Lineno lines[] = { { 0, 11 }, { 4, 12 }, { 10, 13 } };
	made_function first, second, third;

	make_pages();
	first = make_at(0);
	second = make_at(64);
	third = make_at(PAGE);
	collector_func_load("Stack.push \"<é>\" & co", "push, as people call it",
			    arguments[0], (void *)first, sizeof(countdown), 3, lines);
	load((void *)second, "Stack.pop");
	load((void *)third, NULL);
	printf("%p\n", (void *)third);
	work(first, .1);
	work(second, .1);
	work(third, .1);
	collector_func_unload((void *)second);
	load((void *)second, "Queue.get");
	work(second, .1);
	/* Replaces the function at that place. */
	load((void *)first, "Heap.take");
	work(first, .1);
	return 0;
}

static int invalid(char **arguments)
{
	static Lineno unsorted[] = { { 4, 1 }, { 0, 2 } };
	made_function function;

	make_pages();
	function = make_at(0);
	load(NULL, "nowhere");
	collector_func_load("empty", NULL, NULL, pages, 0, 0, NULL);
	collector_func_load("negative", NULL, NULL, pages, -5, 0, NULL);
	collector_func_load("around", NULL, NULL, (void *)-16, 64, 0, NULL);
	collector_func_unload(pages);
	collector_func_load("unsorted", NULL, NULL, pages, sizeof(countdown), 2,
			    unsorted);
	collector_func_load("missing", NULL, NULL, pages, sizeof(countdown), 2, NULL);
	/* The page is not readable. */
	mprotect(pages + 3 * PAGE, PAGE, PROT_NONE);
	load(pages + 3 * PAGE, "beyond");
	work(function, .1);
	return 0;
}

/* The child starts with its parent's functions, and goes on by itself. */
static int children(char **arguments)
{
	made_function first, second;

	make_pages();
	first = make_at(0);
	second = make_at(64);
	load((void *)first, "of the parent");
	if (fork() == 0) {
		load((void *)second, "of the child");
		work(first, .1);
		work(second, .1);
		exit(0);
	}
	wait(NULL);
	work(first, .05);
	return 0;
}

static void *make_and_drop(void *argument)
{
	char *at = argument, name[32];

	for (int i = 0; i < 20000; i++) {
		char *place = at + (i * 37 % 200) * 16;

		snprintf(name, sizeof(name), "function %d", i);
		load(place, name);
		if (i % 3 == 0)
			collector_func_unload(place);
	}
	return NULL;
}

/* Several threads load many functions concurrently, each in a page of its own, while the
 * process forks now and then. */
static int many(char **arguments)
{
	pthread_t threads[4];

	make_pages();
	for (size_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, make_and_drop, pages + i * PAGE);
	for (int i = 0; i < 20; i++) {
		if (fork() == 0) {
			load(pages, "in the child");
			_exit(0);
		}
		wait(NULL);
	}
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	load(pages, "the last");
	work(make_at(0), .1);
	return 0;
}

/* More code than the limit allows: it is not recorded, but does not hinder other
 * functions, or events. */
static int large(char **arguments)
{
	const int size = 3 << 20;
	char *code =
		mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	make_pages();
	for (int i = 0; i < 3; i++)
		collector_func_load("very large", NULL, NULL, code, size, 0, NULL);
	load(make_at(0), "small");
	work((made_function)pages, .1);
	return 0;
}

/* Names and labels with line breaks. */
static int lines(char **arguments)
{
	make_pages();
	load(make_at(0), "first\nsecond\tthird");
	work((made_function)pages, .1);
	collector_sample("begin\nend");
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct situation situations[] = {
		{ "functions", functions },
		{ "invalid", invalid },
		{ "children", children },
		{ "many", many },
		{ "large", large },
		{ "lines", lines },
		{},
	};

	return run_situation(situations, argc, argv);
}
