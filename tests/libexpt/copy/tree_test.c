/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/copy/places.h"

#define BIG (2 * TREE_COPY_PART_SIZE + 12345)

static void files_are_copied_and_verified(void **state)
{
	struct places *places = *state;

	list(places);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_same_bytes("from/log.xml", "to/log.xml");
	assert_same_bytes("from/_f1.er/profile", "to/_f1.er/profile");
	assert_int_equal(look_at("to/empty").st_size, 0);
	for (size_t i = 0; i < places->tree.count; i++)
		assert_int_equal(tree_copy_change(&places->copy, i), FILE_AS_LISTED);
}

static void modes_and_times_are_kept(void **state)
{
	const struct timespec times[2] = { { 1000, 1 }, { 2000, 123456789 } };
	struct places *places = *state;
	mode_t mask = umask(077);
	struct stat status;

	chmod("from/log.xml", 0464);
	chmod("from/_f1.er", 0555);
	utimensat(AT_FDCWD, "from/log.xml", times, 0);
	utimensat(AT_FDCWD, "from/_f1.er", times, 0);
	utimensat(AT_FDCWD, "from", times, 0);
	list(places);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	umask(mask);
	status = look_at("to/log.xml");
	assert_int_equal(status.st_mode & 07777, 0464);
	assert_int_equal(status.st_mtim.tv_nsec, 123456789);
	status = look_at("to/_f1.er");
	assert_int_equal(status.st_mode & 07777, 0555);
	assert_int_equal(status.st_mtim.tv_sec, 2000);
	assert_int_equal(look_at("to").st_mtim.tv_sec, 2000);
	chmod("from/_f1.er", 0755);
	chmod("to/_f1.er", 0755);
}

static void set_id_bits_are_not_kept(void **state)
{
	struct places *places = *state;

	chmod("from/log.xml", 06755);
	list(places);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(look_at("to/log.xml").st_mode & 07777, 0755);
}

static void attributes_can_be_left_to_the_system(void **state)
{
	struct places *places = *state;
	mode_t mask = umask(027);

	chmod("from/log.xml", 0646);
	chmod("from/_f1.er", 0757);
	list(places);
	places->copy.without_attributes = true;
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	umask(mask);
	assert_int_equal(look_at("to/log.xml").st_mode & 07777, 0640);
	assert_int_equal(look_at("to/_f1.er").st_mode & 07777, 0750);
	assert_true(look_at("to/_f1.er/profile").st_mtim.tv_sec > 1000);
}

static void progress_ends_at_its_totals(void **state)
{
	struct expt_progress progress = { 0 };
	struct places *places = *state;

	write_at("from/profile", 70000, "x");
	list(places);
	places->copy.progress = &progress;
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(progress.files, 4);
	assert_int_equal(progress.bytes, 70001 + 3 + 5);
	progress = (struct expt_progress){ 0 };
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_int_equal(progress.files, 4);
	assert_int_equal(progress.bytes, 70001 + 3 + 5);
}

static void a_big_file_is_copied_in_parts(void **state)
{
	struct places *places = *state;
	int fd;

	write_text("from/profile", "start");
	fd = open("from/profile", O_WRONLY);
	if (posix_fallocate(fd, 0, BIG) != 0)
		skip();
	close(fd);
	write_at("from/profile", TREE_COPY_PART_SIZE - 3, "across");
	write_at("from/profile", BIG - 3, "end");
	chmod("from/profile", 0444);
	list(places);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(places->copy.part_count, 3 + 3);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_same_bytes("from/profile", "to/profile");
	assert_int_equal(look_at("to/profile").st_mode & 07777, 0444);
	assert_int_equal(change_of(places, "profile"), FILE_AS_LISTED);
}

/* Two files large enough for one item each. The rest of their directory is a third. */
static void files_of_some_size_are_copied_alone(void **state)
{
	struct places *places = *state;
	static char bytes[2 * TREE_COPY_ALONE_SIZE + 1];
	struct expt_error err;

	memset(bytes, 'x', sizeof(bytes) - 1);
	write_text("from/_f1.er/a", bytes);
	write_text("from/_f1.er/b", bytes);
	write_text("from/_f1.er/gone", bytes);
	chmod("from/_f1.er/b", 0444);
	chmod("from/_f1.er", 0555);
	list(places);
	chmod("from/_f1.er", 0755);
	unlink("from/_f1.er/gone");
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(places->copy.item_count, 2 + 3);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_same_bytes("from/_f1.er/a", "to/_f1.er/a");
	assert_same_bytes("from/_f1.er/profile", "to/_f1.er/profile");
	assert_int_equal(look_at("to/_f1.er/b").st_mode & 07777, 0444);
	assert_int_equal(look_at("to/_f1.er").st_mode & 07777, 0555);
	assert_int_equal(change_of(places, "_f1.er/a"), FILE_AS_LISTED);
	assert_int_equal(change_of(places, "_f1.er/gone"), FILE_VANISHED);
	write_at("to/_f1.er/a", 2 * TREE_COPY_ALONE_SIZE - 1, "y");
	assert_int_equal(tree_copy_verify(&places->copy, &err), -EIO);
	assert_non_null(strstr(err.message, "'_f1.er/a'"));
}

static void a_copy_that_was_spoiled_is_found(void **state)
{
	struct places *places = *state;
	struct expt_error err;

	list(places);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	write_at("to/_f1.er/profile", 2, "X");
	assert_int_equal(tree_copy_verify(&places->copy, &err), -EIO);
	assert_non_null(strstr(err.message, "'_f1.er/profile'"));
}

static void a_copy_that_lost_its_end_is_found(void **state)
{
	struct places *places = *state;

	list(places);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(truncate("to/_f1.er/profile", 4), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), -EIO);
}

static void what_grows_is_copied_as_far_as_it_was_listed(void **state)
{
	struct places *places = *state;

	list(places);
	write_at("from/_f1.er/profile", 5, "6789");
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_int_equal(look_at("to/_f1.er/profile").st_size, 5);
	assert_int_equal(change_of(places, "_f1.er/profile"), FILE_GREW);
	assert_int_equal(change_of(places, "log.xml"), FILE_AS_LISTED);
}

static void what_shrinks_is_not_silently_short(void **state)
{
	struct places *places = *state;

	list(places);
	assert_int_equal(truncate("from/_f1.er/profile", 2), 0);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_int_equal(look_at("to/_f1.er/profile").st_size, 2);
	assert_int_equal(change_of(places, "_f1.er/profile"), FILE_SHRANK);
}

static void a_big_file_may_be_gone(void **state)
{
	struct places *places = *state;
	int fd = open("from/profile", O_WRONLY | O_CREAT, 0644);

	if (posix_fallocate(fd, 0, BIG) != 0)
		skip();
	close(fd);
	list(places);
	unlink("from/profile");
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_int_equal(change_of(places, "profile"), FILE_VANISHED);
	assert_int_equal(access("to/profile", F_OK), -1);
	assert_int_equal(change_of(places, "log.xml"), FILE_AS_LISTED);
}

static void files_of_a_live_experiment_keep_their_order(void **state)
{
	struct places *places = *state;
	static char bytes[2 * TREE_COPY_ALONE_SIZE + 1];

	memset(bytes, 'x', sizeof(bytes) - 1);
	write_text("from/data.frameinfo", bytes);
	write_text("from/profile", bytes);
	list(places);
	places->copy.is_live = true;
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(places->copy.item_count, 2); /* the directories */
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_same_bytes("from/profile", "to/profile");
}

static void call_stacks_of_a_live_experiment_are_taken_as_they_are_then(void **state)
{
	struct places *places = *state;

	write_text("from/data.frameinfo", "stacks");
	write_text("from/profile", "records");
	list(places);
	places->copy.is_live = true;
	write_at("from/data.frameinfo", 6, " and more");
	write_at("from/profile", 7, " and more");
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_same_bytes("from/data.frameinfo", "to/data.frameinfo");
	assert_int_equal(look_at("to/profile").st_size, 7);
}

static void what_is_written_to_or_gone_is_known(void **state)
{
	struct places *places = *state;

	list(places);
	write_at("from/_f1.er/profile", 0, "x");
	assert_int_equal(unlink("from/log.xml"), 0);
	assert_int_equal(tree_copy_run(&places->copy, NULL), 0);
	assert_int_equal(tree_copy_verify(&places->copy, NULL), 0);
	assert_int_equal(change_of(places, "_f1.er/profile"), FILE_CHANGED);
	assert_int_equal(change_of(places, "log.xml"), FILE_VANISHED);
}

static void what_became_a_link_is_not_followed(void **state)
{
	struct places *places = *state;

	list(places);
	assert_int_equal(unlink("from/log.xml"), 0);
	assert_int_equal(symlink("/etc/passwd", "from/log.xml"), 0);
	assert_int_equal(tree_copy_run(&places->copy, NULL), -ELOOP);
}

static void a_stop_ends_the_copy(void **state)
{
	struct places *places = *state;
	volatile int stop = 1;

	list(places);
	places->copy.stop = &stop;
	assert_int_equal(tree_copy_run(&places->copy, NULL), -EINTR);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_places, remove_places)
	const struct CMUnitTest tests[] = {
		TEST(files_are_copied_and_verified),
		TEST(modes_and_times_are_kept),
		TEST(set_id_bits_are_not_kept),
		TEST(attributes_can_be_left_to_the_system),
		TEST(progress_ends_at_its_totals),
		TEST(a_big_file_is_copied_in_parts),
		TEST(files_of_some_size_are_copied_alone),
		TEST(a_copy_that_was_spoiled_is_found),
		TEST(a_copy_that_lost_its_end_is_found),
		TEST(what_grows_is_copied_as_far_as_it_was_listed),
		TEST(what_shrinks_is_not_silently_short),
		TEST(a_big_file_may_be_gone),
		TEST(files_of_a_live_experiment_keep_their_order),
		TEST(call_stacks_of_a_live_experiment_are_taken_as_they_are_then),
		TEST(what_is_written_to_or_gone_is_known),
		TEST(what_became_a_link_is_not_followed),
		TEST(a_stop_ends_the_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
