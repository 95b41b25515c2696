/* SPDX-License-Identifier: Apache-2.0 */
/* archives/manifest. */
#include "libexpt/archives/manifest.h"

#include "libexpt/format.h"
#include "libexpt/stage/temporary.h"
#include "tests/libexpt/test.h"

#define LINE                                                                \
	"copied /usr/bin/x /usr/bin/x ab12 10 1.000000002 3.000000004 5 6 " \
	"00112233445566778899aabbccddeeff -\n"

static int here(void)
{
	int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(dir >= 0);
	return dir;
}

static void parse(struct manifest *manifest, const char *lines)
{
	char text[2000];

	snprintf(text, sizeof(text), MANIFEST_HEADER "\n%s", lines);
	*manifest = (struct manifest)MANIFEST_INIT;
	assert_int_equal(manifest_parse(manifest, text, strlen(text)), 0);
}

static void a_line_holds_what_is_known_of_an_object(void **state)
{
	cleanup_manifest struct manifest manifest;
	const struct manifest_entry *entry;

	parse(&manifest, LINE);
	assert_int_equal(manifest.damaged_line, 0);
	entry = manifest_find(&manifest, "/usr/bin/x");
	assert_non_null(entry);
	assert_int_equal(entry->state, MANIFEST_COPIED);
	assert_string_equal(entry->real_path, "/usr/bin/x");
	assert_string_equal(entry->build_id, "ab12");
	assert_int_equal(entry->size, 10);
	assert_int_equal(entry->mtime_ns, 1000000002);
	assert_int_equal(entry->ctime_ns, 3000000004);
	assert_int_equal(entry->device, 5);
	assert_int_equal(entry->inode, 6);
	assert_string_equal(entry->hash, "00112233445566778899aabbccddeeff");
	assert_string_equal(entry->reason, "");
	assert_null(manifest_find(&manifest, "/usr/bin/y"));
}

static void any_byte_in_a_name_survives(void **state)
{
	cleanup_manifest struct manifest written = MANIFEST_INIT, read;
	char path[300] = "/";
	int dir = here();

	for (int c = 1; c < 256; c++)
		path[c] = (char)c;
	assert_int_equal(
		manifest_put(&written,
			     &(struct manifest_entry){ .state = MANIFEST_REFUSED,
						       .path = path,
						       .real_path = "-",
						       .reason = "100 % \n wrong" }),
		0);
	assert_int_equal(manifest_write(&written, dir, 0644, NULL), 0);
	assert_int_equal(manifest_read(&read, &(struct folder){ .dir = dir }), 0);
	assert_int_equal(read.damaged_line, 0);
	assert_int_equal(read.count, 1);
	assert_string_equal(read.items[0].path, path);
	assert_string_equal(read.items[0].real_path, "-");
	assert_string_equal(read.items[0].build_id, "");
	assert_string_equal(read.items[0].reason, "100 % \n wrong");
	close(dir);
}

static void a_damaged_line_is_absent_and_the_others_are_kept(void **state)
{
	static const char *const damaged[] = {
		"copied\n",
		"\n",
		"eaten /x - - - - - - - - -\n",
		"missing - - - - - - - - - -\n",
		"missing /x - - - - - - - - - -\n",
		"missing /x%zz - - - - - - - - -\n",
		"missing /x%00 - - - - - - - - -\n",
		"missing /x%4 - - - - - - - - -\n",
		"missing /x - - -1 - - - - - -\n",
		"missing /x - - 99999999999999999999 - - - - - -\n",
		"missing /x - - 1 x - - - - -\n",
		"missing /x - xyz - - - - - - -\n",
		"missing /x - - - - - - - 0123 -\n",
		"missing /x - - - - - - - 0011223344556677889xaabbccddeeff -\n",
	};

	for (size_t i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		cleanup_manifest struct manifest manifest;
		char text[1000];

		snprintf(text, sizeof(text), "%s" LINE, damaged[i]);
		parse(&manifest, text);
		assert_int_equal(manifest.damaged_line, 2);
		assert_int_equal(manifest.count, 1);
		assert_non_null(manifest_find(&manifest, "/usr/bin/x"));
	}
}

static void a_manifest_cut_anywhere_is_damaged(void **state)
{
	static const char whole[] = MANIFEST_HEADER "\n" LINE;

	for (size_t size = 0; size < sizeof(whole) - 1; size++) {
		cleanup_manifest struct manifest manifest = MANIFEST_INIT;
		bool is_at_line_end = size == strlen(MANIFEST_HEADER) + 1;

		assert_int_equal(manifest_parse(&manifest, whole, size), 0);
		assert_int_equal(manifest.count, 0);
		assert_true(is_at_line_end || manifest.damaged_line > 0);
	}
}

static void no_manifest_is_an_empty_one(void **state)
{
	cleanup_manifest struct manifest manifest;
	int dir = here();

	unlink(MANIFEST_FILE);
	assert_int_equal(manifest_read(&manifest, &(struct folder){ .dir = dir }), 0);
	assert_int_equal(manifest.count, 0);
	assert_int_equal(manifest.damaged_line, 0);
	close(dir);
}

static void a_manifest_that_is_no_plain_file_is_damaged(void **state)
{
	cleanup_manifest struct manifest manifest;
	int dir = here();

	write_text("elsewhere", MANIFEST_HEADER "\n" LINE);
	assert_int_equal(symlink("elsewhere", MANIFEST_FILE), 0);
	assert_int_equal(manifest_read(&manifest, &(struct folder){ .dir = dir }), 0);
	assert_int_equal(manifest.count, 0);
	assert_int_equal(manifest.damaged_line, 1);
	unlink(MANIFEST_FILE);
	assert_int_equal(mkfifo(MANIFEST_FILE, 0600), 0);
	assert_int_equal(manifest_read(&manifest, &(struct folder){ .dir = dir }), 0);
	assert_int_equal(manifest.damaged_line, 1);
	unlink(MANIFEST_FILE);
	close(dir);
}

static void merging_keeps_the_lines_of_others(void **state)
{
	cleanup_manifest struct manifest first = MANIFEST_INIT, second = MANIFEST_INIT,
					 all;
	int dir = here();

	manifest_put(&first,
		     &(struct manifest_entry){ .state = MANIFEST_COPIED, .path = "/b" });
	manifest_put(&first,
		     &(struct manifest_entry){ .state = MANIFEST_MISSING, .path = "/a" });
	assert_int_equal(manifest_merge(&first, dir, false, NULL), 0);
	manifest_put(&second,
		     &(struct manifest_entry){ .state = MANIFEST_COPIED, .path = "/a" });
	assert_int_equal(manifest_merge(&second, dir, false, NULL), 0);
	assert_int_equal(manifest_read(&all, &(struct folder){ .dir = dir }), 0);
	assert_int_equal(all.count, 2);
	assert_string_equal(all.items[0].path, "/a");
	assert_int_equal(all.items[0].state, MANIFEST_COPIED);
	assert_string_equal(all.items[1].path, "/b");
	unlink(MANIFEST_FILE);
	close(dir);
}

static void a_temporary_file_is_gone_unless_committed(void **state)
{
	struct temporary file;
	char name[STAGE_NAME_SIZE];
	int dir = here();

	assert_int_equal(temporary_open(&file, dir, ARCHIVES_DIR, 0600), 0);
	strcpy(name, file.name);
	assert_true(stage_is_part_name(name, ARCHIVES_DIR));
	temporary_clean(dir, ARCHIVES_DIR, false); /* kept: its creator is alive */
	assert_int_equal(access(name, F_OK), 0);
	temporary_release(&file);
	assert_int_equal(access(name, F_OK), -1);

	assert_int_equal(temporary_open(&file, dir, ARCHIVES_DIR, 0600), 0);
	assert_int_equal(temporary_commit(&file, "final"), 0);
	temporary_release(&file);
	assert_int_equal(access("final", F_OK), 0);
	assert_int_equal(access(file.name, F_OK), -1);

	write_text(name, "left behind");
	temporary_clean(dir, ARCHIVES_DIR, false);
	assert_int_equal(access(name, F_OK), -1);
	close(dir);
}

static void only_our_names_are_temporary(void **state)
{
	assert_false(stage_is_part_name(".archives.part", ARCHIVES_DIR));
	assert_false(stage_is_part_name(".archives.123456.parts", ARCHIVES_DIR));
	assert_false(stage_is_part_name("archives.123456.part", ARCHIVES_DIR));
	assert_false(stage_is_part_name("libc.so.6_odUhlsh5dr6", ARCHIVES_DIR));
	assert_true(stage_is_part_name(".archives.123456.part", ARCHIVES_DIR));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_holds_what_is_known_of_an_object),
		cmocka_unit_test(any_byte_in_a_name_survives),
		cmocka_unit_test(a_damaged_line_is_absent_and_the_others_are_kept),
		cmocka_unit_test(a_manifest_cut_anywhere_is_damaged),
		cmocka_unit_test(no_manifest_is_an_empty_one),
		cmocka_unit_test(a_manifest_that_is_no_plain_file_is_damaged),
		cmocka_unit_test(merging_keeps_the_lines_of_others),
		cmocka_unit_test(a_temporary_file_is_gone_unless_committed),
		cmocka_unit_test(only_our_names_are_temporary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
