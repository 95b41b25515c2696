/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/compile.h"

#include <signal.h>
#include <sys/resource.h>

#include "libexpt/base/array.h"
#include "libexpt/elf/describe.h"

#define PROGRAM                                                              \
	"#include <stdio.h>\n"                                               \
	"static int data[9] = { 1 };\n"                                      \
	"__attribute__((noinline)) int one(int x) { return x + data[x]; }\n" \
	"static void *choose(void) { return one; }\n"                        \
	"int chosen(int) __attribute__((ifunc(\"choose\")));\n"              \
	"int main(void) { puts(\"x\"); return one(1) - chosen(1); }\n"

static void make_program(const char *name, const char *flags)
{
	char driver[256];

	snprintf(driver, sizeof(driver), "cc -g -Wl,--build-id=sha1 %s", flags);
	compile(name, driver, "c", PROGRAM);
}

static const struct elf_symbol *find(const struct elf_symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (strcmp(symbols->items[i].name, name) == 0)
			return &symbols->items[i];
	return NULL;
}

/* Writes the description of object to the file path. Any size and mtime do. */
static struct elf *describe(const struct elf *object, const char *path)
{
	const struct elf_note note = {
		.path = "/usr/bin/x",
		.identity = { .size = 5,
			      .mtime_ns = 7000000008,
			      .build_id = elf_build_id(object) },
	};
	int out = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	struct expt_error err;
	struct elf *elf = NULL;

	assert_true(out >= 0);
	if (elf_describe(object, &note, NULL, out, &err) < 0)
		fail_msg("%s", err.message);
	if (elf_open(&elf, out, &err) < 0)
		fail_msg("%s", err.message);
	return elf;
}

static void what_is_not_elf_is_refused(void **state)
{
	struct expt_error err;
	struct elf *elf = NULL;

	write_text("text", "#!/bin/sh\n");
	assert_int_equal(elf_open(&elf, open("text", O_RDONLY), &err), -EBADMSG);
	assert_string_equal(err.message, "not an ELF file");
	write_text("empty", "");
	assert_int_equal(elf_open(&elf, open("empty", O_RDONLY), &err), -EBADMSG);
	write_text("short", "\177ELF\2\1\1");
	assert_int_equal(elf_open(&elf, open("short", O_RDONLY), &err), -EBADMSG);
	assert_null(elf);
}

static void offsets_are_those_of_the_file(void **state)
{
	struct elf_symbols symbols = { 0 };
	uint64_t address;
	struct elf *elf;
	FILE *nm;

	make_program("fixed", "-no-pie");
	elf = open_elf("fixed");
	assert_int_equal(elf_read_symbols(&symbols, elf, elf, NULL), 0);
	nm = popen("nm fixed | sed -n 's/ T main$//p'", "r");
	assert_non_null(nm);
	assert_int_equal(fscanf(nm, "%lx", &address), 1);
	pclose(nm);
	assert_non_null(find(&symbols, "main"));
	assert_int_equal(find(&symbols, "main")->offset, address - 0x400000);
	array_release(&symbols);
	elf_close(elf);
}

static void functions_and_ifuncs_count_and_nothing_else(void **state)
{
	struct elf_symbols symbols = { 0 };
	struct elf *elf;

	make_program("program", "");
	elf = open_elf("program");
	assert_int_equal(elf_read_symbols(&symbols, elf, elf, NULL), 0);
	assert_non_null(find(&symbols, "one"));
	assert_non_null(find(&symbols, "choose"));
	assert_non_null(find(&symbols, "chosen"));
	assert_int_equal(find(&symbols, "chosen")->offset,
			 find(&symbols, "choose")->offset);
	assert_null(find(&symbols, "data"));
	assert_null(find(&symbols, "puts"));
	for (size_t i = 0; i < symbols.count; i++)
		assert_int_equal(symbols.items[i].table, ELF_TABLE_SYMTAB);
	array_release(&symbols);
	elf_close(elf);
}

static void the_build_id_is_found_with_and_without_sections(void **state)
{
	unsigned char head[64];
	struct elf *elf;
	char id[64];
	FILE *file;

	make_program("program", "");
	elf = open_elf("program");
	assert_int_equal(strlen(elf_build_id(elf)), 40);
	snprintf(id, sizeof(id), "%s", elf_build_id(elf));
	assert_true(elf_has_sections(elf));
	elf_close(elf);

	file = fopen("program", "r+");
	assert_non_null(file);
	assert_int_equal(fread(head, 1, 64, file), 64);
	memset(head + 40, 0, 8); /* e_shoff */
	memset(head + 60, 0, 4); /* e_shnum, e_shstrndx */
	rewind(file);
	assert_int_equal(fwrite(head, 1, 64, file), 64);
	fclose(file);
	elf = open_elf("program");
	assert_false(elf_has_sections(elf));
	assert_string_equal(elf_build_id(elf), id);
	elf_close(describe(elf, "description"));
	assert_true(
		run("readelf -aW description >/dev/null 2>errors && ! test -s errors"));
	elf_close(elf);
}

static void the_debug_link_is_read(void **state)
{
	struct elf *elf;
	uint32_t crc;

	make_program("program", "");
	assert_true(run(
		"objcopy --only-keep-debug program program.debug &&"
		"strip program && objcopy --add-gnu-debuglink=program.debug program"));
	elf = open_elf("program");
	assert_string_equal(elf_debuglink(elf, &crc), "program.debug");
	assert_true(crc != 0);
	elf_close(elf);
	elf = open_elf("program.debug");
	assert_null(elf_debuglink(elf, &crc));
	elf_close(elf);
}

/* ---- descriptions ---- */

/* Removes symbols that separate debug files of the system add to the object's own;
 * symbols_test.c tests those. */
static size_t drop_separate(struct elf_symbols *symbols)
{
	size_t kept = 0;

	for (size_t i = 0; i < symbols->count; i++)
		if (symbols->items[i].table != ELF_TABLE_ELSEWHERE)
			symbols->items[kept++] = symbols->items[i];
	return symbols->count = kept;
}

static void assert_same_symbols(const struct elf *a, const struct elf *b)
{
	struct elf_symbols x = { 0 }, y = { 0 };

	assert_int_equal(elf_read_symbols(&x, a, a, NULL), 0);
	assert_int_equal(elf_read_symbols(&y, b, b, NULL), 0);
	assert_int_equal(x.count, drop_separate(&y));
	for (size_t i = 0; i < x.count; i++) {
		assert_string_equal(x.items[i].name, y.items[i].name);
		assert_int_equal(x.items[i].offset, y.items[i].offset);
		assert_int_equal(x.items[i].size, y.items[i].size);
		assert_int_equal(x.items[i].table, y.items[i].table);
	}
	array_release(&x);
	array_release(&y);
}

static void assert_described(const char *path)
{
	uint64_t offset = 0, size = 0, offset_described = 0, size_described = 0;
	struct elf *object = open_elf(path), *description;
	struct elf_note note;
	struct stat whole, small;

	description = describe(object, "description");
	assert_same_symbols(object, description);
	assert_string_equal(elf_build_id(object), elf_build_id(description));
	assert_int_equal(elf_code_end(object), elf_code_end(description));
	assert_int_equal(elf_section(object, ".plt", &offset, &size),
			 elf_section(description, ".plt", &offset_described,
				     &size_described));
	assert_int_equal(offset, offset_described);
	assert_int_equal(size, size_described);
	assert_false(elf_described(object, &note));
	assert_true(elf_described(description, &note));
	assert_string_equal(note.path, "/usr/bin/x");
	assert_string_equal(note.identity.build_id, elf_build_id(object));
	assert_int_equal(note.identity.size, 5);
	assert_int_equal(note.identity.mtime_ns, 7000000008);
	elf_close(object);
	elf_close(description);
	assert_int_equal(stat(path, &whole) | stat("description", &small), 0);
	assert_true(small.st_size < whole.st_size);
	if (!run("readelf -aW description >/dev/null 2>errors && ! test -s errors"))
		fail_msg("readelf does not like the description of %s", path);
}

static void a_description_names_what_its_object_names(void **state)
{
	char path[4096];
	FILE *names;

	make_program("program", "");
	assert_described("program");
	assert_true(run("strip program"));
	assert_described("program");
	make_program("fixed", "-no-pie");
	assert_described("fixed");
	make_program("static", "-static-pie");
	assert_described("static");
	make_program("library", "-shared -fPIC");
	assert_described("library");

	/* Objects that every system has, in the forms that distributions build them. */
	names = popen(
		"{ ldd library fixed | sed -n 's/.*[[:blank:]]\\(\\/[^ ]*\\) .*/\\1/p'; "
		"echo /bin/sh; gcc -print-prog-name=cc1; command -v python3; } | "
		"xargs readlink -f | sort -u",
		"r");
	assert_non_null(names);
	while (fgets(path, sizeof(path), names)) {
		path[strcspn(path, "\n")] = '\0';
		if (run("head -c 4 '%s' | grep -q ELF", path))
			assert_described(path);
	}
	pclose(names);
}

static void a_description_keeps_the_line_table(void **state)
{
	static const char *const versions[] = { "-gdwarf-4", "-gdwarf-5",
						"-gdwarf-5 -gz" };

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		struct elf *object;

		make_program("program", versions[i]);
		object = open_elf("program");
		elf_close(describe(object, "description"));
		elf_close(object);
		assert_true(run("readelf --debug-dump=decodedline program 2>&1 |"
				"sed 's/^File.*//' >lines"));
		assert_true(run("grep -q 'program.c  *6 ' lines"));
		assert_true(run("readelf --debug-dump=decodedline description 2>&1 |"
				"sed 's/^File.*//' | cmp - lines"));
	}
}

static void a_description_is_of_use_to_others(void **state)
{
	struct elf *object;

	make_program("program", "");
	object = open_elf("program");
	elf_close(describe(object, "description"));
	elf_close(object);
	assert_true(
		run("nm program >expected && nm description | sed 's/ [a-zA-Z] / /' >got;"
		    "sed -i 's/ [a-zA-Z] / /' expected; cmp expected got"));
	assert_true(run("readelf -n description | grep -q 'erkit'"));
}

static void the_identity_may_have_any_path(void **state)
{
	static const char path[] = "/tmp/a b\nsize 7\n\xff/x";
	struct elf_note note = { .path = path, .identity.build_id = "" }, read;
	struct elf *object, *description = NULL;
	int out;

	make_program("program", "");
	object = open_elf("program");
	out = open("description", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_int_equal(elf_describe(object, &note, NULL, out, NULL), 0);
	assert_int_equal(elf_open(&description, out, NULL), 0);
	assert_true(elf_described(description, &read));
	assert_string_equal(read.path, path);
	assert_string_equal(read.identity.build_id, "");
	assert_int_equal(read.identity.size, 0);
	elf_close(object);
	elf_close(description);
}

static void a_failed_write_is_told_from_damage(void **state)
{
	struct elf_note note = { .path = "/x", .identity.build_id = "" };
	struct rlimit limit, small;
	struct expt_error err;
	struct elf *object;
	int out, rc;

	make_program("program", "");
	object = open_elf("program");
	out = open("description", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 1000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	rc = elf_describe(object, &note, NULL, out, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(rc, -EFBIG);
	assert_string_equal(err.message, "cannot write the description: File too large");
	close(out);
	elf_close(object);
}

/* ---- damage ---- */

static void read_all(const char *path)
{
	struct elf_note note = { .path = "/x", .identity.build_id = "" };
	struct elf_symbols symbols = { 0 };
	uint64_t offset, size;
	struct elf *elf = NULL;
	int out;

	if (elf_open(&elf, open(path, O_RDONLY | O_CLOEXEC), NULL) < 0)
		return;
	elf_section(elf, ".plt", &offset, &size);
	elf_read_symbols(&symbols, elf, elf, NULL);
	out = open("description", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	elf_describe(elf, &note, NULL, out, NULL);
	close(out);
	array_release(&symbols);
	elf_close(elf);
}

static void a_cut_or_changed_file_does_no_harm(void **state)
{
	static unsigned char bytes[65536];
	size_t size;
	FILE *file;

	make_program("program", "");
	file = fopen("program", "r");
	assert_non_null(file);
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	for (size_t cut = 0; cut < size; cut += 509) {
		write_bytes("damaged", bytes, cut);
		read_all("damaged");
	}
	srandom(7);
	for (int i = 0; i < 300; i++) {
		size_t place = i < 64 ? (size_t)i : (size_t)random() % size;
		unsigned char kept = bytes[place];

		bytes[place] = (unsigned char)random();
		write_bytes("damaged", bytes, size);
		read_all("damaged");
		bytes[place] = kept;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_elf_is_refused),
		cmocka_unit_test(offsets_are_those_of_the_file),
		cmocka_unit_test(functions_and_ifuncs_count_and_nothing_else),
		cmocka_unit_test(the_build_id_is_found_with_and_without_sections),
		cmocka_unit_test(the_debug_link_is_read),
		cmocka_unit_test(a_description_names_what_its_object_names),
		cmocka_unit_test(a_description_keeps_the_line_table),
		cmocka_unit_test(a_description_is_of_use_to_others),
		cmocka_unit_test(the_identity_may_have_any_path),
		cmocka_unit_test(a_failed_write_is_told_from_damage),
		cmocka_unit_test(a_cut_or_changed_file_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
