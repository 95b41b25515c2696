/* SPDX-License-Identifier: Apache-2.0 */
/* The file that an object is read from. */
#include "tests/libexpt/objects/mapped.h"

#include "libexpt/archives/describe.h"
#include "libexpt/archives/name.h"

/* Copies the file into the archive, under the archive name of path. */
static void archive(const char *path, const char *file)
{
	char name[ARCHIVE_NAME_SIZE];

	make_directory("test.1.er");
	make_directory("test.1.er/archives");
	expt_archive_name(name, path);
	assert_true(run("cp -p %s test.1.er/archives/%s", file, name));
}

static void describe(const char *path, const char *file, uint64_t size, uint64_t mtime_ns)
{
	struct elf_note note = { .path = path,
				 .identity = { .size = size, .mtime_ns = mtime_ns } };
	char name[ARCHIVE_NAME_SIZE], out[512];
	struct elf *elf = open_elf(file);
	int fd;

	make_directory("test.1.er");
	make_directory("test.1.er/archives");
	expt_archive_description_name(name, path);
	snprintf(out, sizeof(out), "test.1.er/archives/%s", name);
	fd = open(out, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	note.identity.build_id = elf_build_id(elf);
	assert_int_equal(describe_object(elf, &note, NULL, fd, NULL), 0);
	close(fd);
	elf_close(elf);
}

static const char *build_id(const char *file)
{
	static char attribute[200];
	struct elf *elf = open_elf(file);

	snprintf(attribute, sizeof(attribute), "buildid=\"%s\"", elf_build_id(elf));
	elf_close(elf);
	return attribute;
}

static void assert_file(const char *file, const char *wanted_problem)
{
	const char *problem, *found = expt_object_file(expt_object(expt, 1), &problem);

	if (file)
		assert_string_equal(found, file);
	else
		assert_null(found);
	if (!wanted_problem) {
		assert_null(problem);
		return;
	}
	assert_non_null(problem);
	if (!strstr(problem, wanted_problem))
		fail_msg("'%s' does not tell of '%s'", problem, wanted_problem);
}

#define GONE	  "/gone/object"
#define GONE_CODE "object_"

/* Returns the path of GONE in the archive, or of its description. */
static const char *archived(bool described)
{
	static char path[512];
	char name[ARCHIVE_NAME_SIZE];

	if (described)
		expt_archive_description_name(name, GONE);
	else
		expt_archive_name(name, GONE);
	snprintf(path, sizeof(path), "test.1.er/archives/%s", name);
	return path;
}

static void the_archived_copy_is_taken_first(void **state)
{
	uint64_t text;

	make_object("object", &text);
	archive(GONE, "object");
	describe(GONE, "object", 1, 1);
	add_segment(BASE, 8192, GONE);
	open_experiment();
	assert_file(archived(false), NULL);
	assert_string_equal(name_at(BASE + text), "one");
}

static void the_description_names_as_well_as_the_object(void **state)
{
	uint64_t text;

	make_object("object", &text);
	describe(GONE, "object", 1, 1);
	add_segment_as(BASE, 8192, 0, 5, "0.0", GONE, build_id("object"));
	open_experiment();
	assert_file(archived(true), NULL);
	assert_string_equal(name_at(BASE + text), "one");
	assert_string_equal(name_at(BASE + text + 32), "a::two(int)");
}

static void a_stripped_copy_has_the_names_of_its_description(void **state)
{
	uint64_t text, size;
	struct elf *elf;
	char path[4096];

	compile("object",
		"cc -shared -nostdlib -Wl,--build-id=sha1 -Wl,-z,noseparate-code", "s",
		".text\n.type hidden,@function\nhidden: .skip 16\n");
	assert_true(
		run("objcopy --only-keep-debug object object.debug && strip object && "
		    "objcopy --add-gnu-debuglink=object.debug object"));
	elf = open_elf("object");
	assert_true(elf_section(elf, ".text", &text, &size));
	elf_close(elf);
	snprintf(path, sizeof(path), "%s/object", here);
	archive(path, "object");
	describe(path, "object", 1, 1);
	assert_true(run("rm object.debug"));
	add_segment(BASE, 8192, path);
	open_experiment();
	assert_string_equal(name_at(BASE + text), "hidden");
	stop(state);
	archive(path, "object");
	add_segment(BASE, 8192, path);
	open_experiment();
	assert_string_equal(name_at(BASE + text),
			    "<static>@0x0 (<object>) --  no functions found");
}

static void a_copy_of_another_build_is_not_taken(void **state)
{
	uint64_t text;

	make_object("object", &text);
	compile("other", "cc -shared -nostdlib -Wl,--build-id=sha1", "s",
		".text\n.skip 9\n");
	archive(GONE, "other");
	describe(GONE, "object", 1, 1);
	add_segment_as(BASE, 8192, 0, 5, "0.0", GONE, build_id("object"));
	open_experiment();
	assert_file(archived(true), "' is not the file that was recorded");
	assert_string_equal(name_at(BASE + text), "one");
}

static void a_rebuilt_program_is_not_taken(void **state)
{
	uint64_t text;
	char path[4096], id[200];

	snprintf(path, sizeof(path), "%s", make_object("object", &text));
	snprintf(id, sizeof(id), "%s", build_id("object"));
	compile("object", "cc -shared -nostdlib -Wl,--build-id=sha1", "s",
		".text\n.globl wrong\n.type wrong,@function\nwrong: .skip 64\n");
	add_segment_as(BASE, 8192, 0, 5, "0.0", path, id);
	open_experiment();
	assert_file(NULL, "' is not the file that was recorded");
	assert_string_equal(name_at(BASE + text),
			    "<static>@0x0 (<object>) --  no functions found");
	assert_string_equal(expt_object_build_id(expt_object(expt, 1)),
			    strchr(id, '"') ? strtok(strchr(id, '"') + 1, "\"") : "");
}

static void without_a_build_id_size_and_time_decide(void **state)
{
	const struct timespec times[2] = { { 1600000000, 500 }, { 1600000000, 500 } };
	struct stat status;
	char identity[200], path[4096];
	uint64_t text;

	for (int changed = 0; changed < 3; changed++) {
		snprintf(path, sizeof(path), "%s", make_object("object", &text));
		assert_int_equal(utimensat(AT_FDCWD, "object", times, 0), 0);
		assert_int_equal(stat("object", &status), 0);
		snprintf(identity, sizeof(identity),
			 "fsize=\"%ld\" mtime=\"1600000000.%s\"",
			 status.st_size + (changed == 1),
			 changed == 2 ? "000000501" : "000000500");
		add_segment_as(BASE, 8192, 0, 5, "0.0", path, identity);
		open_experiment();
		if (changed)
			assert_file(NULL, "' is not the file that was recorded");
		else
			assert_file(path, NULL);
		stop(state);
	}
	/* archives of other tools keep whole seconds only */
	snprintf(identity, sizeof(identity),
		 "fsize=\"%ld\" mtime=\"1600000000.999999999\"", status.st_size);
	archive(GONE, "object");
	add_segment_as(BASE, 8192, 0, 5, "0.0", GONE, identity);
	open_experiment();
	assert_file(archived(false), NULL);
	stop(state);
	/* a description records the identity of its object */
	describe(GONE, "object", 77, 5);
	add_segment_as(BASE, 8192, 0, 5, "0.0", GONE,
		       "fsize=\"77\" mtime=\"0.000000005\"");
	open_experiment();
	assert_file(archived(true), NULL);
}

static void an_unverified_file_is_taken_but_its_age_is_told(void **state)
{
	const struct timespec old[2] = { { 1600000000, 0 }, { 1600000000, 0 } };
	uint64_t text;
	char path[4096];

	snprintf(path, sizeof(path), "%s", make_object("object", &text));
	add_segment(BASE, 8192, path);
	open_experiment();
	assert_file(path, "' is newer than the experiment");
	stop(state);
	assert_int_equal(utimensat(AT_FDCWD, "object", old, 0), 0);
	add_segment(BASE, 8192, path);
	open_experiment();
	assert_file(path, NULL);
}

static void only_regular_files_are_opened(void **state)
{
	uint64_t text;
	char path[4096];

	make_object("object", &text);
	assert_true(run("rm -f fifo link; mkfifo fifo && ln -s object link"));
	snprintf(path, sizeof(path), "%s/fifo", here);
	add_segment(BASE, 8192, path);
	open_experiment();
	assert_file(NULL, "fifo' is not a regular file");
	stop(state);
	snprintf(path, sizeof(path), "%s/link", here);
	add_segment(BASE, 8192, path);
	open_experiment();
	assert_file(NULL, "link': Too many levels of symbolic links");
	stop(state);
	add_segment(BASE, 8192, GONE);
	open_experiment();
	assert_file(NULL, "cannot open '/gone/object': No such file or directory");
}

static void links_in_archives_are_followed_only_into_common_ones(void **state)
{
	uint64_t text;

	make_object("object", &text);
	make_directory("test.1.er");
	make_directory("test.1.er/archives");
	assert_true(run("mkdir -p common && cp object common/12345_object && "
			"ln -s %s/common/12345_object %s",
			here, archived(false)));
	add_segment(BASE, 8192, GONE);
	open_experiment();
	assert_file(archived(false), NULL);
	assert_string_equal(name_at(BASE + text), "one");
	stop(state);
	make_directory("test.1.er");
	make_directory("test.1.er/archives");
	assert_true(run("ln -s %s/object %s", here, archived(false)));
	add_segment(BASE, 8192, GONE);
	open_experiment();
	assert_file(NULL, "Too many levels of symbolic links");
}

static void an_archive_that_is_a_link_is_none(void **state)
{
	uint64_t text;

	make_object("object", &text);
	archive(GONE, "object");
	assert_true(run("rm -rf elsewhere; mv test.1.er/archives elsewhere && "
			"ln -s ../elsewhere test.1.er/archives"));
	add_segment(BASE, 8192, GONE);
	open_experiment();
	assert_file(NULL, "cannot open '/gone/object'");
}

static void a_damaged_copy_is_told_and_passed_over(void **state)
{
	uint64_t text;
	char path[4096];

	snprintf(path, sizeof(path), "%s", make_object("object", &text));
	write_text("junk", "\177ELF but nothing else");
	archive(path, "junk");
	add_segment_as(BASE, 8192, 0, 5, "0.0", path, build_id("object"));
	open_experiment();
	assert_file(path, "not an ELF file");
	assert_string_equal(name_at(BASE + text), "one");
}

static void a_program_that_changed_between_processes_is_two_objects(void **state)
{
	add_segment_as(BASE, 4096, 0, 5, "0.0", GONE, "buildid=\"aa11\"");
	add_segment_as(BASE + 0x10000, 4096, 0, 5, "0.0", GONE, "buildid=\"bb22\"");
	add_segment_as(BASE + 0x20000, 4096, 0, 5, "0.0", GONE, "buildid=\"aa11\"");
	open_experiment();
	assert_int_equal(expt_object_count(expt), 3);
	assert_ptr_equal(expt_segment(expt, 0)->object, expt_segment(expt, 2)->object);
	assert_ptr_not_equal(expt_segment(expt, 0)->object,
			     expt_segment(expt, 1)->object);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		TEST(the_archived_copy_is_taken_first),
		TEST(the_description_names_as_well_as_the_object),
		TEST(a_stripped_copy_has_the_names_of_its_description),
		TEST(a_copy_of_another_build_is_not_taken),
		TEST(a_rebuilt_program_is_not_taken),
		TEST(without_a_build_id_size_and_time_decide),
		TEST(an_unverified_file_is_taken_but_its_age_is_told),
		TEST(only_regular_files_are_opened),
		TEST(links_in_archives_are_followed_only_into_common_ones),
		TEST(an_archive_that_is_a_link_is_none),
		TEST(a_damaged_copy_is_told_and_passed_over),
		TEST(a_program_that_changed_between_processes_is_two_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
