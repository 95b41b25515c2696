/* SPDX-License-Identifier: Apache-2.0 */
/* Compares walks that remember the last one with walks that do not: over calls that go up
 * and down at random, through frames of all kinds. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <alloca.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "collector/unwind/again.h"
#include "collector/unwind/objects.h"
#include "collector/unwind/unwind.h"

#define LIMIT	 256
#define NOINLINE __attribute__((noinline, noclone))

static struct unwind_memory memory;
static void *bytes; /* of memory */
static struct unwind_bounds bounds;
static unsigned random_state = 1;
static size_t walks, reused, shortcuts, mismatches, refused;
static volatile unsigned sink;

static unsigned next_random(void)
{
	random_state = random_state * 1103515245 + 12345;
	return random_state >> 16;
}

static uint64_t tag_of(const uint64_t *pcs, size_t count)
{
	uint64_t tag = 1;

	for (size_t i = 0; i < count; i++)
		tag = (tag ^ pcs[i]) * 0x100000001B3;
	return tag | 1;
}

/* Both walks begin at the caller. The caller may ignore a shortcut and walk anyway. */
static NOINLINE __attribute__((optimize("no-omit-frame-pointer"))) void compare(void)
{
	uint64_t expected[LIMIT];
	enum unwind_end end;
	size_t first, fresh;
	size_t count =
		unwind_from(expected, LIMIT, &bounds, &end, __builtin_frame_address(0));
	uint64_t tag = tag_of(expected, count);
	uint64_t tagged = unwind_tagged(&memory, __builtin_frame_address(0));

	walks++;
	if (tagged != 0) {
		shortcuts++;
		mismatches += tagged != tag;
		if (next_random() % 4 != 0)
			return;
	}
	if (!unwind_again(&memory, &bounds, __builtin_frame_address(0), &first, &fresh)) {
		refused++;
		return;
	}
	memory.first = first;
	reused += memory.limit - first - fresh;
	if (end != UNWIND_WHOLE || count != memory.limit - first ||
	    memcmp(expected, memory.pcs + first, count * sizeof(*expected)) != 0)
		mismatches++;
	else if (next_random() % 8 != 0)
		unwind_tag(&memory, first, fresh, tag);
}

static NOINLINE void compare_here(void)
{
	compare();
	sink += 3;
}

static NOINLINE __attribute__((optimize("no-omit-frame-pointer"))) void
compare_framed(void)
{
	compare();
	sink += 4;
}

static void go_on(int depth);

static NOINLINE void plain(int depth)
{
	go_on(depth);
	sink += 1;
}

static NOINLINE void other(int depth)
{
	volatile char room[100];

	room[0] = 1;
	go_on(depth);
	sink += (unsigned)room[0];
}

/* The frame can be found by bp only; its size is random. */
static NOINLINE void variable(int depth)
{
	volatile char *room = alloca(16 + next_random() % 8 * 16);

	room[0] = 1;
	go_on(depth);
	sink += (unsigned)room[0];
}

/* bp holds data here, not a frame. */
static NOINLINE void busy(int depth)
{
	unsigned a = next_random(), b = a ^ 7, c = a * 3, d = b + c, e = d ^ a, f = e + 1;

	go_on(depth);
	go_on(depth - 1);
	sink += a + b * c + d * e + f;
}

static NOINLINE __attribute__((optimize("no-omit-frame-pointer"))) void framed(int depth)
{
	go_on(depth);
	sink += 2;
}

static NOINLINE void go_on(int depth)
{
	static void (*const ways[])(int) = { plain, other, variable, busy, framed };

	if (depth <= 0) {
		static void (*const leaves[])(void) = { compare, compare_here,
							compare_framed };

		for (unsigned i = next_random() % 5; i-- > 0;)
			leaves[next_random() % 3]();
		return;
	}
	ways[next_random() % 5](depth - 1);
	if (next_random() % 4 == 0)
		ways[next_random() % 5](depth - 1 - (int)(next_random() % 3));
}

static void start_memory(void)
{
	free(bytes);
	bytes = calloc(1, unwind_memory_size(LIMIT));
	unwind_memory_init(&memory, bytes, LIMIT);
}

static void *walk_about(void *unused)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &low, &size);
	pthread_attr_destroy(&attributes);
	bounds = (struct unwind_bounds){ (uintptr_t)low, (uintptr_t)low + size };
	start_memory();
	while (walks < 300000)
		go_on(2 + (int)(next_random() % 20));
	return NULL;
}

static void in_thread(void *(*run)(void *), void *argument)
{
	pthread_t thread;

	unwind_init();
	assert_int_equal(pthread_create(&thread, NULL, run, argument), 0);
	pthread_join(thread, NULL);
}

static void what_is_remembered_is_what_is_there(void **state)
{
	in_thread(walk_about, NULL);
	assert_int_equal(mismatches, 0);
	assert_int_equal(refused, 0);
	/* The test would prove nothing if no frames were ever taken from memory. */
	assert_true(reused > walks);
	assert_true(shortcuts > walks / 10);
}

/* Walks repeatedly from one place, and forgets in between if asked to. */
static void *walk_twice(void *is_forgetting)
{
	for (int i = 0; i < 20; i++) {
		if (is_forgetting)
			unwind_memory_forget(&memory);
		compare();
		sink += 1;
	}
	return NULL;
}

static void what_is_forgotten_has_no_shortcut(void **state)
{
	shortcuts = mismatches = 0;
	in_thread(walk_twice, NULL);
	assert_true(shortcuts > 0);
	shortcuts = 0;
	in_thread(walk_twice, &memory);
	assert_int_equal(shortcuts, 0);
	assert_int_equal(mismatches, 0);
}

/* Remembers a leaf without callers, at its place on the stack. */
static void tag_leaf(uint64_t kept[2], bool uses_bp)
{
	struct unwind_step *leaf;

	start_memory();
	leaf = &memory.steps[LIMIT - 1];
	memory.generation = objects_generation();
	leaf->at = (struct unwind_place){ (uintptr_t)(kept + 2), kept[1], kept[0] };
	leaf->uses_bp = uses_bp;
	leaf->words = memory.steps[LIMIT].words;
	memory.first = LIMIT - 1;
	unwind_tag(&memory, LIMIT - 1, 1, 77);
}

static void bp_counts_where_the_walk_goes_by_it(void **state)
{
	uint64_t kept[2] = { 1000, 2000 };

	tag_leaf(kept, true);
	assert_int_equal(unwind_tagged(&memory, kept), 77);
	kept[0]++;
	assert_int_equal(unwind_tagged(&memory, kept), 0);
	tag_leaf(kept, false);
	kept[0]++;
	assert_int_equal(unwind_tagged(&memory, kept), 77);
	kept[1]++;
	assert_int_equal(unwind_tagged(&memory, kept), 0);
}

static void other_objects_end_shortcuts(void **state)
{
	uint64_t kept[2] = { 1000, 2000 };

	tag_leaf(kept, true);
	memory.generation++;
	assert_int_equal(unwind_tagged(&memory, kept), 0);
}

/* As in a child forked by a handler between the walk and its tag. */
static void what_is_forgotten_before_its_tag_has_none(void **state)
{
	uint64_t kept[2] = { 1000, 2000 };

	tag_leaf(kept, true);
	unwind_memory_forget(&memory);
	unwind_tag(&memory, LIMIT - 1, 1, 77);
	assert_int_equal(unwind_tagged(&memory, kept), 0);
}

static void *walk_where_it_cannot_be(void *unused)
{
	struct unwind_bounds kept = bounds;

	refused = 0;
	bounds = (struct unwind_bounds){ 0, 0 };
	compare();
	sink += 1;
	bounds = kept;
	memory.limit = memory.first = 1;
	compare();
	sink += 1;
	return NULL;
}

static void unknown_stacks_and_deep_ones_are_refused(void **state)
{
	in_thread(walk_where_it_cannot_be, NULL);
	assert_int_equal(refused, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_remembered_is_what_is_there),
		cmocka_unit_test(what_is_forgotten_has_no_shortcut),
		cmocka_unit_test(bp_counts_where_the_walk_goes_by_it),
		cmocka_unit_test(other_objects_end_shortcuts),
		cmocka_unit_test(what_is_forgotten_before_its_tag_has_none),
		cmocka_unit_test(unknown_stacks_and_deep_ones_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
