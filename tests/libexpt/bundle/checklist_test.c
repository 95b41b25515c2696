/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/checklist.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/libexpt/test.h"

static struct members members;
static unsigned char sum_a[DIGEST_SIZE] = { 1, 2, 3 }, sum_b[DIGEST_SIZE] = { 4 };

static void add(const char *name, const unsigned char *sum)
{
	struct tar_member member = { .name = name, .type = TAR_FILE };
	size_t index;

	assert_int_equal(members_add(&members, &index, &member, 0, 0, NULL), 1);
	memcpy(members.items[index].sum, sum, DIGEST_SIZE);
}

static int start(void **state)
{
	members_init(&members, &(struct expt_import_options){ 0 });
	add("x.er/log.xml", sum_a);
	add("x.er/archives/back\\slash", sum_b);
	return 0;
}

static int stop(void **state)
{
	members_release(&members);
	return 0;
}

static char *whole(void)
{
	struct strbuf text = STRBUF_INIT;

	checklist_start(&text);
	checklist_add(&text, "x.er/log.xml", sum_a);
	checklist_add(&text, "x.er/archives/back\\slash", sum_b);
	return strbuf_steal(&text);
}

static void all_files_with_their_sums_pass(void **state)
{
	char *text = whole();

	assert_non_null(strstr(text, "\n\\0400"));
	assert_non_null(strstr(text, "  x.er/archives/back\\\\slash\n"));
	assert_int_equal(checklist_check(&members, 0, text, NULL, NULL), 0);
	free(text);
}

static int check(char *text, struct expt_error *err)
{
	int rc = checklist_check(&members, 0, text, NULL, err);

	free(text);
	return rc;
}

static void differences_are_named(void **state)
{
	struct expt_error err;
	char *text = whole();

	members.items[1].sum[0] ^= 1;
	assert_int_equal(check(text, &err), -EBADMSG);
	assert_string_equal(err.message,
			    "'x.er/log.xml': its checksum does not match the manifest");
}

static void a_file_that_is_not_listed_is_found(void **state)
{
	struct expt_error err;

	add("x.er/map.xml", sum_a);
	assert_int_equal(check(whole(), &err), -EBADMSG);
	assert_string_equal(err.message, "'x.er/map.xml': not in the manifest");
}

static void all_differences_are_in_the_report(void **state)
{
	struct expt_report *report = expt_report_new();
	char *text = whole();

	add("x.er/map.xml", sum_a);
	members.items[1].sum[0] ^= 1;
	assert_int_equal(checklist_check(&members, 0, text, report, NULL), -EBADMSG);
	assert_int_equal(expt_report_count(report), 2);
	expt_report_free(report);
	free(text);
}

static void other_text_is_no_checklist(void **state)
{
	static const char *const texts[] = {
		"",
		"\n",
		"# erkit bundle 2\n",
		"# erkit bundle 1",
		"# erkit bundle 1\n\n",
		"# erkit bundle 1\n00  x.er/log.xml\n",
	};
	struct expt_error err;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_int_equal(check(strdup(texts[i]), &err), -EBADMSG);
		assert_non_null(strstr(err.message, "EXPORT.manifest:"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_files_with_their_sums_pass, start,
						stop),
		cmocka_unit_test_setup_teardown(differences_are_named, start, stop),
		cmocka_unit_test_setup_teardown(a_file_that_is_not_listed_is_found, start,
						stop),
		cmocka_unit_test_setup_teardown(all_differences_are_in_the_report, start,
						stop),
		cmocka_unit_test_setup_teardown(other_text_is_no_checklist, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
