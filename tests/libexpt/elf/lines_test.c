/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/elf/lines.h"

#include <limits.h>

#include "tests/libexpt/compile.h"

/* Two functions in sub/one.c, one of which comes from inc/one.h, and one in two.c */
static void write_sources(void)
{
	make_directory("sub");
	make_directory("inc");
	write_text("inc/one.h", "static inline int inner(int x)\n{\n\tvolatile int y = "
				"x;\n\treturn y * 3;\n}\n");
	write_text("sub/one.c", "#include \"../inc/one.h\"\n"
				"int one(int x)\n{\n\treturn inner(x) * 5;\n}\n"
				"int other(int x)\n{\n\treturn x * 7;\n}\n");
	write_text("two.c", "int two(int x)\n{\n\treturn x * 9;\n}\n");
}

/* Builds lib.so with these flags. Returns false if the compiler does not support them. */
static bool make_library(const char *compiler, const char *flags)
{
	write_sources();
	if (!run("command -v %s >/dev/null", compiler))
		return false;
	return run("%s -shared -fPIC -O1 %s -o lib.so ./sub/one.c \"$PWD/two.c\"",
		   compiler, flags);
}

static int list_lines(struct line_files *files, const struct elf *object,
		      const struct elf *debug, const struct line_places *places,
		      struct expt_error *err)
{
	struct line_tables tables = { .object = object, .debug = debug };

	return elf_line_files(files, &tables, places, err);
}

static void list(struct line_files *files, const struct line_places *places)
{
	struct elf *elf = open_elf("lib.so");
	struct expt_error err;

	*files = (struct line_files){ .items = NULL };
	if (list_lines(files, elf, elf, places, &err) < 0)
		fail_msg("%s", err.message);
	elf_close(elf);
}

static const struct line_file *find(const struct line_files *files, const char *path)
{
	char here[PATH_MAX], whole[2 * PATH_MAX];

	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(whole, sizeof(whole), "%s/%s", here, path);
	for (size_t i = 0; i < files->count; i++)
		if (strcmp(files->items[i].path, whole) == 0)
			return &files->items[i];
	return NULL;
}

static void assert_all_are_named(const char *compiler, const char *flags)
{
	struct line_files files;

	if (!make_library(compiler, flags)) {
		print_message("%s %s: not here\n", compiler, flags);
		return;
	}
	list(&files, NULL);
	assert_non_null(find(&files, "sub/one.c"));
	assert_non_null(find(&files, "sub/../inc/one.h"));
	assert_non_null(find(&files, "two.c"));
	for (size_t i = 0; i < files.count; i++) {
		assert_int_equal(files.items[i].path[0], '/');
		assert_null(strstr(files.items[i].path, "/./"));
	}
	line_files_release(&files);
}

static void all_files_of_all_versions_are_named(void **state)
{
	static const char *const flags[] = {
		"-gdwarf-2",
		"-gdwarf-3",
		"-gdwarf-4",
		"-gdwarf-5",
		"-gdwarf-4 -gsplit-dwarf",
		"-gdwarf-5 -gsplit-dwarf",
		"-gdwarf-4 -gz",
		"-gdwarf-5 -gz=zlib",
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		assert_all_are_named("gcc", flags[i]);
		assert_all_are_named("clang", flags[i]);
	}
	assert_all_are_named("gcc", "-g -flto");
	assert_all_are_named("gcc", "-gdwarf-5 -gdwarf64");
}

static void what_has_no_lines_names_nothing(void **state)
{
	struct line_files files;

	if (!make_library("cc", "-g0"))
		skip();
	list(&files, NULL);
	assert_int_equal(files.count, 0);
	line_files_release(&files);
}

/* Lists the files of the function called name, from its last byte. */
static void list_at(struct line_files *files, const char *name)
{
	struct elf *elf = open_elf("lib.so");
	struct elf_symbols symbols = { .items = NULL };
	uint64_t offset = 0;
	struct line_places places = { .offsets = &offset, .count = 1 };

	assert_int_equal(elf_read_symbols(&symbols, elf, elf, NULL), 0);
	for (size_t i = 0; i < symbols.count; i++)
		if (strcmp(symbols.items[i].name, name) == 0)
			offset = symbols.items[i].offset + symbols.items[i].size - 1;
	assert_true(offset > 0);
	free(symbols.items);
	elf_close(elf);
	list(files, &places);
}

static void places_name_the_files_of_their_lines(void **state)
{
	static const char *const flags[] = { "-gdwarf-4", "-gdwarf-5" };
	struct line_files files;

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		if (!make_library("cc", flags[i]))
			skip();
		list_at(&files, "two");
		assert_non_null(find(&files, "two.c"));
		assert_int_equal(files.count, 1);
		line_files_release(&files);
		list_at(&files, "other");
		assert_non_null(find(&files, "sub/one.c"));
		assert_int_equal(files.count, 1);
		line_files_release(&files);
	}
}

static void code_from_a_header_names_its_function_too(void **state)
{
	struct line_files files;
	uint64_t offset = 0;
	struct line_places places = { .offsets = &offset, .count = 1 };
	struct elf *elf;
	struct elf_symbols symbols = { .items = NULL };
	bool found_both = false;

	if (!make_library("cc", "-g"))
		skip();
	elf = open_elf("lib.so");
	assert_int_equal(elf_read_symbols(&symbols, elf, elf, NULL), 0);
	for (size_t i = 0; i < symbols.count; i++)
		for (uint64_t at = 0; strcmp(symbols.items[i].name, "one") == 0 &&
				      at < symbols.items[i].size;
		     at++) {
			offset = symbols.items[i].offset + at;
			list(&files, &places);
			assert_non_null(find(&files, "sub/one.c"));
			found_both |= files.count == 2 &&
				      find(&files, "sub/../inc/one.h");
			line_files_release(&files);
		}
	assert_true(found_both);
	free(symbols.items);
	elf_close(elf);
}

static void no_places_name_nothing(void **state)
{
	struct line_files files;
	struct line_places none = { .offsets = NULL };

	if (!make_library("cc", "-g"))
		skip();
	list(&files, &none);
	assert_int_equal(files.count, 0);
	line_files_release(&files);
}

/* The assembler writes the given sums in reverse byte order. */
static void sums_of_version_5_are_read(void **state)
{
	static const unsigned char up[MD5_SIZE] = { 0, 1, 2,  3,  4,  5,  6,  7,
						    8, 9, 10, 11, 12, 13, 14, 15 };
	static const unsigned char down[MD5_SIZE] = { 15, 14, 13, 12, 11, 10, 9, 8,
						      7,  6,  5,  4,  3,  2,  1, 0 };
	struct line_files files;
	const struct line_file *file;

	write_text("sums.s", "\t.file 0 \"/src\" \"zero.c\" md5 "
			     "0x000102030405060708090a0b0c0d0e0f\n"
			     "\t.file 1 \"/src/sub\" \"one.c\" md5 "
			     "0x0f0e0d0c0b0a09080706050403020100\n"
			     "\t.text\n\t.loc 1 1\n\tnop\n\t.loc 0 2\n\tnop\n");
	if (!run("cc -shared -nostdlib -Wa,-gdwarf-5 -o lib.so sums.s 2>/dev/null"))
		skip();
	list(&files, NULL);
	assert_int_equal(files.count, 2);
	file = &files.items[0];
	assert_string_equal(file->path, "/src/zero.c");
	assert_true(file->has_md5);
	assert_memory_equal(file->md5, down, MD5_SIZE);
	file = &files.items[1];
	assert_string_equal(file->path, "/src/sub/one.c");
	assert_true(file->has_md5);
	assert_memory_equal(file->md5, up, MD5_SIZE);
	line_files_release(&files);
}

static void sums_are_those_of_the_files(void **state)
{
	struct line_files files;
	unsigned char sum[MD5_SIZE];
	const struct line_file *file;
	int fd;

	if (!make_library("clang", "-gdwarf-5"))
		skip();
	list(&files, NULL);
	file = find(&files, "two.c");
	assert_non_null(file);
	assert_true(file->has_md5);
	fd = open("two.c", O_RDONLY | O_CLOEXEC);
	assert_int_equal(digest_md5(sum, fd, NULL), 0);
	assert_memory_equal(sum, file->md5, MD5_SIZE);
	close(fd);
	line_files_release(&files);
}

static void separate_debug_files_name_the_same(void **state)
{
	uint64_t offset = 0;
	struct line_places places = { .offsets = &offset, .count = 1 };
	struct line_files files = { .items = NULL }, at = { .items = NULL };
	struct elf_symbols symbols = { .items = NULL };
	struct elf *object, *debug;

	if (!make_library("cc", "-g -Wl,--build-id"))
		skip();
	assert_true(run("objcopy --only-keep-debug lib.so lib.debug && strip -g lib.so"));
	object = open_elf("lib.so");
	debug = open_elf("lib.debug");
	assert_false(elf_has_lines(object));
	assert_true(elf_has_lines(debug));
	assert_int_equal(list_lines(&files, object, debug, NULL, NULL), 0);
	assert_non_null(find(&files, "sub/one.c"));
	assert_int_equal(elf_read_symbols(&symbols, object, object, NULL), 0);
	for (size_t i = 0; i < symbols.count; i++)
		if (strcmp(symbols.items[i].name, "two") == 0)
			offset = symbols.items[i].offset;
	assert_int_equal(list_lines(&at, object, debug, &places, NULL), 0);
	assert_int_equal(at.count, 1);
	assert_non_null(find(&at, "two.c"));
	free(symbols.items);
	line_files_release(&files);
	line_files_release(&at);
	elf_close(object);
	elf_close(debug);
}

static char *read_all(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	struct stat status;
	char *bytes;

	assert_non_null(file);
	assert_int_equal(stat(path, &status), 0);
	*size = (size_t)status.st_size;
	bytes = malloc(*size);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
}

/* Each byte of the table is made wrong in turn. The result is a list of files or an
 * error, never a crash. */
static void damaged_tables_do_no_harm(void **state)
{
	char *bytes;
	size_t size, first = 0, length = 0;
	FILE *section;

	if (!make_library("cc", "-gdwarf-5"))
		skip();
	section = popen("readelf -WS lib.so | sed -n 's/.* .debug_line  *PROGBITS *[^ ]* "
			"\\([^ ]*\\) \\([^ ]*\\) .*/\\1 \\2/p'",
			"r");
	assert_non_null(section);
	assert_int_equal(fscanf(section, "%zx %zx", &first, &length), 2);
	pclose(section);
	bytes = read_all("lib.so", &size);
	for (size_t i = first; i < first + length && i < first + 200; i++)
		for (unsigned value = 0; value < 256; value += 51) {
			struct line_files files = { .items = NULL };
			char kept = bytes[i];
			struct elf *elf;

			bytes[i] = (char)(kept ^ (char)(value + 1));
			write_bytes("lib.so", bytes, size);
			bytes[i] = kept;
			elf = open_elf("lib.so");
			list_lines(&files, elf, elf, NULL, NULL);
			elf_close(elf);
			line_files_release(&files);
		}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_files_of_all_versions_are_named),
		cmocka_unit_test(what_has_no_lines_names_nothing),
		cmocka_unit_test(places_name_the_files_of_their_lines),
		cmocka_unit_test(code_from_a_header_names_its_function_too),
		cmocka_unit_test(no_places_name_nothing),
		cmocka_unit_test(sums_of_version_5_are_read),
		cmocka_unit_test(sums_are_those_of_the_files),
		cmocka_unit_test(separate_debug_files_name_the_same),
		cmocka_unit_test(damaged_tables_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
