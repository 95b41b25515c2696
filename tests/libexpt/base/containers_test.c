/* SPDX-License-Identifier: Apache-2.0 */
/* strbuf, array, arena and idmap of libexpt/base. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/array.h"
#include "libexpt/base/idmap.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"

static void a_string_grows_and_stays_terminated(void **state)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	assert_string_equal(strbuf_text(&text), "");
	for (int i = 0; i < 1000; i++)
		strbuf_printf(&text, "%d,", i);
	strbuf_add_char(&text, '\0');
	strbuf_add(&text, "end", 3);
	assert_false(text.failed);
	assert_int_equal(text.length, 2890 + 1000 + 1 + 3);
	assert_memory_equal(text.text + text.length - 4, "\0end", 5);
	strbuf_clear(&text);
	assert_string_equal(strbuf_text(&text), "");
}

static void a_size_that_cannot_be_had_marks_the_string(void **state)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	strbuf_add_text(&text, "kept");
	assert_false(strbuf_reserve(&text, SIZE_MAX - 2));
	assert_true(text.failed);
	assert_string_equal(strbuf_text(&text), "kept");
	assert_null(strbuf_steal(&text));
}

static void new_array_items_are_zero(void **state)
{
	struct {
		uint64_t *items;
		size_t count, capacity;
	} numbers = { 0 };

	for (uint64_t i = 0; i < 1000; i++) {
		uint64_t *item = array_add(&numbers);

		assert_non_null(item);
		assert_int_equal(*item, 0);
		*item = i;
	}
	assert_int_equal(numbers.count, 1000);
	assert_int_equal(numbers.items[999], 999);
	array_release(&numbers);
	assert_null(numbers.items);
}

static void arena_memory_does_not_move_or_overlap(void **state)
{
	struct arena arena = { 0 };
	char *texts[2000];

	for (int i = 0; i < 2000; i++) {
		size_t length = (size_t)i * 7 % 90;

		texts[i] = arena_alloc(&arena, length + 1);
		assert_int_equal((uintptr_t)texts[i] % 16, 0);
		assert_int_equal(texts[i][length], 0);
		memset(texts[i], i % 251 + 1, length);
	}
	for (int i = 0; i < 2000; i++)
		for (size_t k = 0; k < (size_t)i * 7 % 90; k++)
			assert_int_equal((unsigned char)texts[i][k], i % 251 + 1);
	assert_non_null(arena_alloc(&arena, 1000000));
	assert_string_equal(arena_text(&arena, "cut here", 3), "cut");
	assert_null(arena_alloc(&arena, SIZE_MAX));
	arena_release(&arena);
}

static void ids_are_found_again(void **state)
{
	struct idmap map = { 0 };

	assert_int_equal(idmap_find(&map, 5), IDMAP_NONE);
	for (uint32_t i = 0; i < 10000; i++) {
		uint32_t *value = idmap_add(&map, (uint64_t)i << 32);

		assert_non_null(value);
		assert_int_equal(*value, IDMAP_NONE);
		*value = i;
	}
	assert_int_equal(*idmap_add(&map, 0), 0);
	assert_int_equal(map.count, 10000);
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(idmap_find(&map, (uint64_t)i << 32), i);
	assert_int_equal(idmap_find(&map, 1), IDMAP_NONE);
	idmap_release(&map);
}

static void keys_tell_where_texts_end(void **state)
{
	uint64_t one = idmap_text_key(idmap_text_key(IDMAP_KEY, "ab"), "c");
	uint64_t other = idmap_text_key(idmap_text_key(IDMAP_KEY, "a"), "bc");

	assert_true(one != other);
	assert_true(one == idmap_text_key(idmap_text_key(IDMAP_KEY, "ab"), "c"));
}

static void the_last_component_is_found_behind_slashes(void **state)
{
	static const struct {
		const char *path, *last;
		size_t length;
	} cases[] = {
		{ "a.er", "a.er", 4 }, { "/x/a.er//", "a.er", 7 },
		{ "x/y", "y", 3 },     { "/", "", 1 },
		{ "//", "", 1 },       { "", "", 0 },
		{ "../", "..", 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		size_t length;
		const char *last = path_last(cases[i].path, &length);

		assert_int_equal(path_length(cases[i].path), cases[i].length);
		assert_int_equal(length, strlen(cases[i].last));
		assert_memory_equal(last, cases[i].last, length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_string_grows_and_stays_terminated),
		cmocka_unit_test(a_size_that_cannot_be_had_marks_the_string),
		cmocka_unit_test(new_array_items_are_zero),
		cmocka_unit_test(arena_memory_does_not_move_or_overlap),
		cmocka_unit_test(ids_are_found_again),
		cmocka_unit_test(keys_tell_where_texts_end),
		cmocka_unit_test(the_last_component_is_found_behind_slashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
