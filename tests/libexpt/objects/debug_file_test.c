/* SPDX-License-Identifier: Apache-2.0 */
/* The names in separate debug files. */
#include "tests/libexpt/objects/assembled.h"

#include <limits.h>

#include "libexpt/archives/describe.h"

/* Makes a stripped object in the directory there, next to its debug file. */
static void separate(void)
{
	remove_all("there");
	make_directory("there");
	compile("object", LIBRARY " -Wl,--build-id=sha1", "s",
		".text\n" LOCAL("hidden") ".skip 8\n" SIZE("hidden", 8));
	assert_true(run("objcopy --only-keep-debug object there/object.debug && "
			"strip -o there/object object && cd there && "
			"objcopy --add-gnu-debuglink=object.debug object"));
}

static void assert_found(const char *path, bool found)
{
	char absolute[4096];
	struct object object;

	assert_non_null(realpath(path, absolute));
	read_object(&object, absolute);
	assert_int_equal(object.table.symbols.count, found);
	if (found)
		assert_string_equal(name_at(&object, 4), "hidden");
	release(&object);
}

static void a_debug_link_leads_to_the_file_beside_and_in_debug(void **state)
{
	separate();
	assert_found("there/object", true);
	make_directory("there/.debug");
	assert_true(run("mv there/object.debug there/.debug/"));
	assert_found("there/object", true);
	assert_true(run("rm -r there/.debug"));
	assert_found("there/object", false);
}

static void assert_named_with_archives(const char *absolute, const char *expected)
{
	int archives = open("archives", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct object object = { .elf = open_elf(absolute) };

	assert_int_equal(
		symbol_table_read(&object.table, object.elf, NULL, absolute,
				  &(struct symbol_places){
					  .archives = &(struct folder){ .dir = archives },
				  },
				  NULL),
		0);
	if (expected)
		assert_string_equal(name_at(&object, 4), expected);
	else
		assert_int_equal(object.table.symbols.count, 0);
	release(&object);
	close(archives);
}

static void an_archived_debug_file_stands_for_one_that_is_gone(void **state)
{
	char absolute[4096], debug[PATH_MAX], name[256], archived[300];

	separate();
	assert_non_null(realpath("there/object", absolute));
	assert_non_null(realpath("there/object.debug", debug));
	expt_archive_name(name, debug);
	remove_all("archives");
	make_directory("archives");
	snprintf(archived, sizeof(archived), "archives/%s", name);
	assert_int_equal(rename(debug, archived), 0);
	assert_named_with_archives(absolute, "hidden");
	/* a debug file of another build is not used */
	compile("object", LIBRARY " -Wl,--build-id=sha1", "s",
		".text\n" LOCAL("hidden") ".skip 16\n" SIZE("hidden", 16));
	assert_true(run("objcopy --only-keep-debug object there/object.debug && "
			"strip -o there/object object && cd there && "
			"objcopy --add-gnu-debuglink=object.debug object && "
			"rm object.debug"));
	assert_named_with_archives(absolute, NULL);
}

/* The same with an exported name for which the debug file has a shorter one. */
static void separate_with_two_names(bool elsewhere, char absolute[4096])
{
	separate();
	compile("object", LIBRARY " -Wl,--build-id=sha1", "s",
		".text\n" LOCAL("q")
			FUNCTION("exported") ".skip 8\n" LOCAL("hidden") ".skip 8\n");
	assert_true(run("objcopy --only-keep-debug object there/object.debug && "
			"strip -o there/object object && cd there && "
			"objcopy --add-gnu-debuglink=object.debug object"));
	if (elsewhere)
		assert_true(run("cd there && mkdir .debug && mv *.debug .debug"));
	assert_non_null(realpath("there/object", absolute));
}

static const char *const winners[] = { "q", "exported" };

static void only_a_debug_file_beside_renames_what_has_a_name(void **state)
{
	for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
		struct object object;
		char absolute[4096];

		separate_with_two_names(elsewhere, absolute);
		read_object(&object, absolute);
		assert_string_equal(name_at(&object, 4), winners[elsewhere]);
		assert_string_equal(name_at(&object, 12), "hidden");
		release(&object);
	}
}

static void describe(const char *path, const char *out)
{
	struct elf_note note = { .path = path, .identity.build_id = "" };
	struct elf *elf = open_elf(path);
	int fd = open(out, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_int_equal(describe_object(elf, &note, NULL, fd, NULL), 0);
	close(fd);
	elf_close(elf);
}

static void a_description_takes_the_names_of_the_debug_file_along(void **state)
{
	for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
		struct object object;
		char absolute[4096];

		separate_with_two_names(elsewhere, absolute);
		describe(absolute, "description");
		assert_true(
			run("readelf -aW description >/dev/null 2>errors && "
			    "! test -s errors && nm description | grep -q ' t hidden'"));
		assert_true(run("rm -rf there/.debug there/object.debug"));
		read_object(&object, "description");
		assert_string_equal(name_at(&object, 4), winners[elsewhere]);
		assert_string_equal(name_at(&object, 12), "hidden");
		release(&object);

		/* and adds them to a copy */
		object = (struct object){ .elf = open_elf(absolute) };
		assert_int_equal(symbol_table_read(&object.table, object.elf,
						   open_elf("description"), absolute,
						   NULL, NULL),
				 0);
		assert_string_equal(name_at(&object, 4), winners[elsewhere]);
		assert_string_equal(name_at(&object, 12), "hidden");
		release(&object);
	}
}

static void a_debug_file_of_another_build_is_not_taken(void **state)
{
	separate();
	compile("object", LIBRARY " -Wl,--build-id=sha1", "s",
		".text\n.skip 1\n" LOCAL("wrong") ".skip 8\n");
	assert_true(run("objcopy --only-keep-debug object there/object.debug"));
	assert_found("there/object", false);
}

static void without_a_build_id_the_checksum_decides(void **state)
{
	separate();
	assert_true(run("cd there && objcopy -R .note.gnu.build-id object && "
			"objcopy -R .note.gnu.build-id ../object plain && "
			"objcopy --only-keep-debug plain object.debug && "
			"objcopy -R .gnu_debuglink object && "
			"objcopy --add-gnu-debuglink=object.debug object"));
	assert_found("there/object", true);
	assert_true(run("echo >>there/object.debug"));
	assert_found("there/object", false);
}

static void a_debug_link_leads_to_regular_files_only(void **state)
{
	separate();
	assert_true(run("rm there/object.debug && mkfifo there/object.debug"));
	assert_found("there/object", false);
}

static void the_systems_debug_directory_is_searched_by_build_id(void **state)
{
	char libc[4096] = "";
	struct object object;
	FILE *line;

	line = popen("ldd /bin/sh | sed -n 's/.*libc\\.so[^/]*\\(\\/[^ ]*\\) .*/\\1/p'",
		     "r");
	assert_non_null(line);
	if (!fgets(libc, sizeof(libc), line))
		*libc = '\0';
	pclose(line);
	libc[strcspn(libc, "\n")] = '\0';
	if (!*libc)
		skip();
	read_object(&object, libc);
	if (!object.table.debug) {
		release(&object);
		print_message("no debug file of libc is installed\n");
		skip();
	}
	assert_string_equal(elf_build_id(object.table.debug), elf_build_id(object.elf));
	assert_true(object.table.symbols.count > 3000);
	release(&object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_debug_link_leads_to_the_file_beside_and_in_debug),
		cmocka_unit_test(an_archived_debug_file_stands_for_one_that_is_gone),
		cmocka_unit_test(only_a_debug_file_beside_renames_what_has_a_name),
		cmocka_unit_test(a_description_takes_the_names_of_the_debug_file_along),
		cmocka_unit_test(a_debug_file_of_another_build_is_not_taken),
		cmocka_unit_test(without_a_build_id_the_checksum_decides),
		cmocka_unit_test(a_debug_link_leads_to_regular_files_only),
		cmocka_unit_test(the_systems_debug_directory_is_searched_by_build_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
