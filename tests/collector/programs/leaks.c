/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leaks SITUATION - allocates in functions that leak what their names say: the number of
 * blocks, then the bytes in all.
 */
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "situation.h"

#define PAGE	 4096
#define NOINLINE __attribute__((noinline, noclone))

static __thread void *volatile kept; /* keeps calls from being optimized away */

/* ---- the malloc family ---- */

static NOINLINE void leak_malloc_3_300(void)
{
	for (int i = 0; i < 5; i++) {
		kept = malloc(100);
		if (i >= 3)
			free(kept);
	}
}

static NOINLINE void leak_calloc_2_140(void)
{
	for (int i = 0; i < 2; i++)
		kept = calloc(10, 7);
}

/* Grown a hundred times, mostly by moving: only the last block is leaked. */
static NOINLINE void leak_realloc_1_100000(void)
{
	void *block = NULL;

	for (size_t size = 1000; size <= 100000; size += 1000) {
		block = realloc(block, size);
		kept = malloc(10); /* prevents growing in place */
		free(kept);
	}
	kept = block;
}

static NOINLINE void leak_by_realloc_0_0(void)
{
	void *block = malloc(10);

	for (size_t size = 20; size < 1 << 20; size *= 2)
		block = realloc(block, size);
	block = reallocarray(block, 3, 5);
	kept = realloc(block, 0);
}

static NOINLINE void leak_reallocarray_1_4000(void)
{
	kept = reallocarray(malloc(1), 40, 100);
}

/* A failed realloc keeps the old block. */
static NOINLINE void leak_old_1_77(void)
{
	volatile size_t too_much = PTRDIFF_MAX;
	char *block = malloc(77);

	kept = block;
	if (realloc(block, too_much) || errno != ENOMEM ||
	    reallocarray(block, too_much, 3) || errno != ENOMEM)
		puts("what cannot be had was given");
	block[76] = 'x';
}

static NOINLINE void leak_aligned_5_1000(void)
{
	kept = memalign(64, 200);
	kept = aligned_alloc(128, 200);
	if (posix_memalign((void **)&kept, 4096, 200) != 0)
		puts("posix_memalign failed");
	kept = valloc(200);
	kept = pvalloc(200);
}

static NOINLINE void leak_aligned_0_0(void)
{
	void *block;

	free(memalign(64, 200));
	free(aligned_alloc(128, 200));
	if (posix_memalign(&block, 4096, 200) == 0)
		free(block);
	if (posix_memalign(&block, 3, 200) != EINVAL)
		puts("an alignment of 3 was taken");
}

/* An empty block is not counted as a leak. */
static NOINLINE void leak_empty_0_0(void)
{
	kept = malloc(0);
	kept = calloc(0, 8);
}

static NOINLINE void leak_in_libc_1_6(void)
{
	kept = strdup("hello");
}

/* ---- mappings ---- */

static void *map(size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
}

/* Ten pages: two in the middle are unmapped in one piece, and one at the end. */
static NOINLINE void leak_mmap_1_28672(void)
{
	char *block = map(10 * PAGE);

	munmap(block + 4 * PAGE, 2 * PAGE);
	munmap(block + 9 * PAGE, 1);
}

static NOINLINE void leak_by_mmap_0_0(void)
{
	char *block = map(4 * PAGE);

	munmap(block, 2 * PAGE);
	munmap(block + 2 * PAGE, 2 * PAGE);
	munmap(map(5000), 5000);
	if (munmap((void *)1, PAGE) == 0 || map(0) != MAP_FAILED)
		puts("what is no mapping was one");
}

/* Grows elsewhere, then shrinks in place. */
static NOINLINE void leak_mremap_1_12288(void)
{
	char *block = map(2 * PAGE);

	block = mremap(block, 2 * PAGE, 1000 * PAGE, MREMAP_MAYMOVE);
	block[999 * PAGE] = 1;
	block = mremap(block, 1000 * PAGE, 3 * PAGE, 0);
	block[2 * PAGE] = 1;
	if (mremap((void *)PAGE, PAGE, PAGE, 0) != MAP_FAILED)
		puts("what is no mapping was one");
}

/* Maps over the first half of another mapping, whose second half is kept. */
static NOINLINE void leak_fixed_2_16384(void)
{
	char *block = map(4 * PAGE);

	kept = mmap(block, 2 * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		    -1, 0);
}

/* More bytes than fit in 32 bits; the memory is never touched. */
static NOINLINE void leak_large_1_5368709120(void)
{
	size_t size = (size_t)5 << 30;

	kept = mmap64(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		      -1, 0);
	if (kept == MAP_FAILED)
		puts("5 gigabytes of addresses are not to be had");
}

static int everything(char **arguments)
{
	leak_malloc_3_300();
	leak_calloc_2_140();
	leak_realloc_1_100000();
	leak_by_realloc_0_0();
	leak_reallocarray_1_4000();
	leak_old_1_77();
	leak_aligned_5_1000();
	leak_aligned_0_0();
	leak_empty_0_0();
	leak_in_libc_1_6();
	return 0;
}

static int mappings(char **arguments)
{
	leak_mmap_1_28672();
	leak_by_mmap_0_0();
	leak_mremap_1_12288();
	leak_fixed_2_16384();
	leak_large_1_5368709120();
	return 0;
}

/* ---- threads: blocks go round a ring, and each is freed by another thread ---- */

#define THREADS 8
#define ROUNDS	20000

static void *_Atomic ring[THREADS];

static NOINLINE void *leak_in_threads_8_264(void *argument)
{
	long number = (long)argument;

	kept = malloc(33);
	for (int i = 0; i < ROUNDS; i++) {
		void *block = malloc(10 + (size_t)i % 50);

		block = realloc(block, 200 + (size_t)i % 300);
		block = __atomic_exchange_n((void **)&ring[(number + i) % THREADS], block,
					    __ATOMIC_ACQ_REL);
		free(block);
	}
	return NULL;
}

static int threads(char **arguments)
{
	pthread_t ids[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&ids[i], NULL, leak_in_threads_8_264, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	for (int i = 0; i < THREADS; i++)
		free(ring[i]);
	return 0;
}

/* ---- the end of a thread: its last round of destructors, and libc afterwards ---- */

#define ENDING_THREADS 4

static pthread_key_t last_key;

static NOINLINE void leak_at_end_4_160(void)
{
	kept = malloc(40);
}

static void end_in_last_round(void *value)
{
	long *round = value;

	if (++*round < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(last_key, value);
		return;
	}
	free(value);
	leak_at_end_4_160();
}

/* libc frees the text, which belongs to the thread. */
static NOINLINE void *leak_freed_at_end_0_0(void *argument)
{
	pthread_setspecific(last_key, calloc(1, sizeof(long)));
	kept = strerror(123456);
	return NULL;
}

static int ends(char **arguments)
{
	pthread_t id;

	pthread_key_create(&last_key, end_in_last_round);
	for (int i = 0; i < ENDING_THREADS; i++) {
		pthread_create(&id, NULL, leak_freed_at_end_0_0, NULL);
		pthread_join(id, NULL);
	}
	return 0;
}

static const struct situation situations[] = {
	{ "everything", everything },
	{ "mappings", mappings },
	{ "threads", threads },
	{ "ends", ends },
	{ NULL, NULL },
};

int main(int argc, char *argv[])
{
	return run_situation(situations, argc, argv);
}
