/* SPDX-License-Identifier: Apache-2.0 */
/* Holes of files, copied. */
#include "tests/libexpt/copy/places.h"

static void holes_stay_holes(void **state)
{
	struct places *places = *state;

	write_text("from/profile", "start");
	write_at("from/profile", 3 << 20, "middle");
	assert_int_equal(truncate("from/profile", 64 << 20), 0);
	list(places);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_same_bytes("from/profile", "to/profile");
	assert_int_equal(look_at("to/profile").st_size, 64 << 20);
	assert_true(look_at("to/profile").st_blocks <= 128);
	assert_int_equal(change_of(places, "profile"), FILE_AS_LISTED);
}

static blkcnt_t blocks_of_sparse_copy(struct places *places, enum expt_sparse sparse)
{
	static char zeros[1 << 20];
	int fd = open("from/profile", O_WRONLY | O_CREAT, 0644);

	assert_int_equal(write(fd, zeros, sizeof(zeros)), sizeof(zeros));
	assert_int_equal(ftruncate(fd, 3 << 20), 0);
	close(fd);
	write_at("from/profile", 70000, "data");
	list(places);
	places->copy.sparse = sparse;
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_same_bytes("from/profile", "to/profile");
	return look_at("to/profile").st_blocks;
}

static void zeros_become_holes_only_where_that_is_wanted(void **state)
{
	assert_in_range(blocks_of_sparse_copy(*state, EXPT_SPARSE_AUTO), 2048, 2100);
}

static void zeros_become_holes(void **state)
{
	assert_in_range(blocks_of_sparse_copy(*state, EXPT_SPARSE_ALWAYS), 1, 128);
}

static void holes_become_zeros(void **state)
{
	assert_in_range(blocks_of_sparse_copy(*state, EXPT_SPARSE_NEVER), 6144, 6300);
}

static void a_hole_of_terabytes_takes_no_time(void **state)
{
	struct places *places = *state;

	write_text("from/profile", "start");
	if (truncate("from/profile", INT64_C(1) << 43) < 0)
		skip(); /* too large for this file system */
	list(places);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_true(look_at("to/profile").st_size == INT64_C(1) << 43);
}

/* The data end before the hole that the file loses. */
static void what_loses_a_hole_is_not_filled_up(void **state)
{
	struct places *places = *state;

	write_at("from/_f1.er/profile", 4096, "data");
	assert_int_equal(truncate("from/_f1.er/profile", 1 << 20), 0);
	list(places);
	assert_int_equal(truncate("from/_f1.er/profile", 1 << 16), 0);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_int_equal(change_of(places, "_f1.er/profile"), FILE_SHRANK);
	assert_same_bytes("from/_f1.er/profile", "to/_f1.er/profile");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_places, remove_places)
	const struct CMUnitTest tests[] = {
		TEST(holes_stay_holes),
		TEST(zeros_become_holes_only_where_that_is_wanted),
		TEST(zeros_become_holes),
		TEST(holes_become_zeros),
		TEST(a_hole_of_terabytes_takes_no_time),
		TEST(what_loses_a_hole_is_not_filled_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
