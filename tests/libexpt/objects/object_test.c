/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/describe.h"
#include "tests/libexpt/compile.h"

#include "libexpt/archives/name.h"
#include "libexpt/expt.h"

/* What the experiment says is mapped; see add_segment(). */
static char map_text[65536];
static struct expt *expt;
static char here[2048];

#define BASE UINT64_C(0x555555554000)

static void add_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void add_text(const char *format, ...)
{
	size_t length = strlen(map_text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(map_text + length, sizeof(map_text) - length, format, arguments);
	va_end(arguments);
}

static void add_segment_as(uint64_t address, uint64_t size, uint64_t offset,
			   unsigned modes, const char *time, const char *name,
			   const char *identity)
{
	add_text(
		"<event kind=\"map\" object=\"segment\" tstamp=\"%s\" vaddr=\"0x%016lX\" "
		"size=\"%lu\" pagesz=\"4096\" foffset=\"+0x%08lx\" modes=\"0x%03X\" "
		"chksum=\"0xFFFFFFFF\" name=\"%s\" %s/>\n",
		time, address, size, offset, modes, name, identity);
}

static void add_segment(uint64_t address, uint64_t size, const char *name)
{
	add_segment_as(address, size, 0, 5, "0.0", name, "");
}

static void add_function(uint64_t address, uint64_t size, const char *time,
			 const char *name)
{
	add_text("<event kind=\"map\" object=\"function\" tstamp=\"%s\" "
		 "vaddr=\"0x%016lX\" "
		 "size=\"%lu\" name=\"%s\"/>\n",
		 time, address, size, name);
}

static void add_part(uint64_t address, uint64_t size, const char *owner, const char *name)
{
	add_text("<event kind=\"map\" object=\"dynfunc\" name=\"%s\" vaddr=\"0x%016lX\" "
		 "size=\"%lu\" funcname=\"%s\"/>\n",
		 owner, address, size, name);
}

static void add_unmap(const char *time, uint64_t address)
{
	add_text("<event kind=\"unmap\" tstamp=\"%s\" vaddr=\"0x%016lX\"/>\n", time,
		 address);
}

/* An experiment whose run began in 2023, with what was added as its map. */
static void write_experiment(const char *path)
{
	char file[300];

	make_directory(path);
	snprintf(file, sizeof(file), "%s/log.xml", path);
	write_text(file, "<event kind=\"run\" tstamp=\"5.0\" time=\"1700000000\"/>\n");
	snprintf(file, sizeof(file), "%s/map.xml", path);
	write_text(file, map_text);
	map_text[0] = '\0';
}

static void open_experiment(void)
{
	struct expt_error err;

	write_experiment("test.1.er");
	if (expt_open(&expt, "test.1.er", &err) < 0)
		fail_msg("%s", err.message);
}

static int start(void **state)
{
	map_text[0] = '\0';
	return getcwd(here, sizeof(here)) ? 0 : -1;
}

static int stop(void **state)
{
	expt_close(expt);
	expt = NULL;
	remove_all("test.1.er");
	return 0;
}

static const struct expt_function *at_time(uint64_t address, uint64_t time_ns)
{
	struct expt_place place;

	expt_place(expt, address, time_ns, &place);
	assert_non_null(place.function);
	return place.function;
}

static const struct expt_function *at(uint64_t address)
{
	return at_time(address, 0);
}

static const char *name_at(uint64_t address)
{
	return expt_function_name(at(address), EXPT_NAME_LONG);
}

/* An object of two functions of 16 bytes, 16 bytes apart, at image offset *text. */
static const char *make_object(const char *name, uint64_t *text)
{
	static char path[4096];
	uint64_t size;
	struct elf *elf;

	compile(name, "cc -shared -nostdlib -Wl,--build-id=sha1 -Wl,-z,noseparate-code",
		"s",
		".text\n.globl one\n.type one,@function\none: .skip 16\n.size one,16\n"
		".skip 16\n.globl _ZN1a3twoEi\n.type _ZN1a3twoEi,@function\n"
		"_ZN1a3twoEi: .skip 16\n.size _ZN1a3twoEi,16\n");
	elf = open_elf(name);
	assert_true(elf_section(elf, ".text", text, &size));
	elf_close(elf);
	snprintf(path, sizeof(path), "%s/%s", here, name);
	return path;
}

/* ---- from addresses to rows -------------------------------------------------------- */

static void an_address_is_looked_up_by_its_image_offset(void **state)
{
	struct expt_place place;
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE, 8192, path);
	open_experiment();
	expt_place(expt, BASE + text + 37, 0, &place);
	assert_string_equal(expt_function_name(place.function, EXPT_NAME_LONG),
			    "a::two(int)");
	assert_string_equal(expt_function_name(place.function, EXPT_NAME_SHORT),
			    "a::two");
	assert_string_equal(expt_function_name(place.function, EXPT_NAME_MANGLED),
			    "_ZN1a3twoEi");
	assert_int_equal(place.offset, 5);
	assert_false(place.is_plt);
	assert_int_equal(expt_function_offset(place.function), text + 32);
	assert_int_equal(expt_function_size(place.function), 16);
	assert_string_equal(expt_object_name(expt_function_object(place.function)),
			    "<object>");
	assert_string_equal(expt_object_path(expt_function_object(place.function)), path);
	assert_null(expt_function_aliases(place.function));
	assert_string_equal(name_at(BASE + text + 15), "one");
}

static void a_row_is_the_same_wherever_its_file_is_mapped(void **state)
{
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE, 8192, path);
	add_segment_as(BASE + 0x100000, 4096, 0, 5, "0.0", path, "");
	open_experiment();
	assert_ptr_equal(at(BASE + text), at(BASE + 0x100000 + text + 8));
	assert_ptr_equal(at(BASE + text + 20), at(BASE + 0x100000 + text + 31));
	assert_int_equal(expt_object_count(expt), 2);
}

static void a_row_is_the_same_in_all_descendants(void **state)
{
	const struct expt_function *one, *part;
	struct expt *descendant = NULL;
	struct expt_place place;
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE + 4096, 8192, path);
	add_part(0x7000, 16, "[vdso]", "__vdso_time");
	add_function(0x7000, 4096, "0.1", "[vdso]");
	make_directory("test.1.er");
	write_experiment("test.1.er/_x1.er");
	add_segment(BASE, 8192, path);
	add_part(0x9000, 16, "[vdso]", "__vdso_time");
	add_function(0x9000, 4096, "0.1", "[vdso]");
	open_experiment();
	one = at(BASE + text);
	part = at(0x9003);
	assert_int_equal(expt_descendant_open(&descendant, expt, 0, NULL), 0);
	expt_place(descendant, BASE + 4096 + text, 0, &place);
	assert_ptr_equal(place.function, one);
	expt_place(descendant, 0x7003, 0, &place);
	assert_ptr_equal(place.function, part);
	assert_int_equal(place.offset, 3);
	assert_int_equal(expt_object_count(descendant), 3);
	expt_close(descendant);
}

static void nothing_mapped_is_unknown(void **state)
{
	struct expt_place place;
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment_as(BASE, 4096, 0, 1, "0.0", path, "");
	add_segment_as(BASE + 0x10000, 4096, 0, 7, "0.0", path, "");
	add_segment_as(BASE + 0x20000, 4096, 0, 4, "0.0", "/x", "");
	add_segment_as(BASE + 0x30000, 4096, 0, 0xd, "0.0", "/x", "");
	open_experiment();
	for (uint64_t i = 0; i < 5; i++) {
		expt_place(expt, BASE + i * 0x10000 + text, 0, &place);
		assert_string_equal(expt_function_name(place.function, EXPT_NAME_LONG),
				    "<Unknown>");
		assert_ptr_equal(place.function, at(UINT64_MAX - 4096));
	}
	assert_int_equal(expt_function_size(place.function), 0);
	assert_int_equal(expt_function_offset(place.function), 0);
	assert_ptr_equal(expt_function_object(place.function), expt_object(expt, 0));
	assert_null(expt_segment(expt, 0)->object);
}

static void a_known_file_may_be_mapped_in_any_way(void **state)
{
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE, 4096, path);
	add_segment_as(BASE + 0x10000, 4096, 0, 7, "0.0", path, "");
	open_experiment();
	assert_ptr_equal(at(BASE + text), at(BASE + 0x10000 + text));
	assert_ptr_equal(expt_segment(expt, 1)->object, expt_object(expt, 1));
}

static void objects_are_numbered_in_the_order_of_loading(void **state)
{
	add_segment(BASE, 4096, "/a/program");
	add_segment(BASE + 0x10000, 4096, "/a/lib.so");
	add_segment_as(BASE + 0x20000, 4096, 0, 5, "2.0", "/a/late.so", "");
	add_function(0x7000, 4096, "1.0", "[vdso]");
	open_experiment();
	assert_int_equal(expt_object_count(expt), 5);
	assert_string_equal(expt_object_name(expt_object(expt, 0)), "<Unknown>");
	assert_string_equal(expt_object_name(expt_object(expt, 1)), "<program>");
	assert_string_equal(expt_object_name(expt_object(expt, 2)), "<lib.so>");
	assert_string_equal(expt_object_name(expt_object(expt, 3)),
			    "<DYNAMIC_FUNCTIONS>");
	assert_string_equal(expt_object_path(expt_object(expt, 3)), "DYNAMIC_FUNCTIONS");
	assert_string_equal(expt_object_name(expt_object(expt, 4)), "<late.so>");
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(expt_object_index(expt_object(expt, i)), i);
}

/* ---- time -------------------------------------------------------------------------- */

static void what_counts_is_what_is_unloaded_next(void **state)
{
	add_segment_as(BASE, 4096, 0, 5, "1.0", "/first", "");
	add_unmap("2.0", BASE);
	add_segment_as(BASE, 4096, 0, 5, "3.0", "/second", "");
	add_unmap("4.0", BASE);
	open_experiment();
#define OBJECT_AT(seconds) \
	expt_object_name(  \
		expt_function_object(at_time(BASE + 5, (uint64_t)((seconds)*1e9))))
	assert_string_equal(OBJECT_AT(0), "<first>"); /* seen before it was noticed */
	assert_string_equal(OBJECT_AT(1.5), "<first>");
	assert_string_equal(OBJECT_AT(2.0), "<second>");
	assert_string_equal(OBJECT_AT(3.5), "<second>");
	assert_string_equal(OBJECT_AT(4.0), "<Unknown>");
	assert_int_equal(expt_epoch(expt, 0), 0);
	assert_int_equal(expt_epoch(expt, 1999999999), 0);
	assert_int_equal(expt_epoch(expt, 2000000000), 1);
	assert_int_equal(expt_epoch(expt, 3500000000), 1);
	assert_int_equal(expt_epoch(expt, 4000000000), 2);
}

static void without_unloading_there_is_one_epoch(void **state)
{
	add_segment_as(BASE, 4096, 0, 5, "1.0", "/first", "");
	add_segment_as(BASE + 4096, 4096, 0, 5, "3.0", "/second", "");
	open_experiment();
	assert_int_equal(expt_epoch(expt, 0), 0);
	assert_int_equal(expt_epoch(expt, UINT64_MAX - 1), 0);
	assert_string_equal(OBJECT_AT(0), "<first>");
}

static void many_mappings_are_told_apart(void **state)
{
	char name[32];

	for (uint64_t i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "/lib%lu", i);
		add_segment(BASE + i * 0x3000, 0x2000, name);
	}
	open_experiment();
	for (uint64_t i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "<lib%lu>", i);
		assert_string_equal(expt_object_name(expt_function_object(
					    at(BASE + i * 0x3000 + 0x1fff))),
				    name);
		assert_string_equal(name_at(BASE + i * 0x3000 + 0x2000), "<Unknown>");
	}
}

static void the_address_space_has_an_end(void **state)
{
	add_segment(UINT64_C(0xffffffffffffe000), 4096, "/top");
	add_function(UINT64_C(0xffffffffffffd000), 4096, "0.0", "[x]");
	add_segment_as(BASE, 4096, UINT64_C(0xfffffffffffffffe), 5, "0.0", "/far", "");
	add_segment(BASE + 4096, 0, "/none");
	open_experiment();
	assert_string_equal(expt_object_name(expt_function_object(at(UINT64_MAX - 4096))),
			    "<top>");
	assert_string_equal(name_at(UINT64_C(0xffffffffffffdfff)), "[x]");
	assert_string_equal(name_at(BASE + 100), "<Unknown>");
	assert_string_equal(name_at(BASE + 4096), "<Unknown>");
}

/* ---- gaps and dynamic code --------------------------------------------------------- */

static void gaps_are_named_after_their_start(void **state)
{
	char expected[100];
	uint64_t text;
	const char *path = make_object("object", &text);

	add_segment(BASE, 8192, path);
	open_experiment();
	snprintf(expected, sizeof(expected), "<static>@0x%lx (<object>)", text + 16);
	assert_string_equal(name_at(BASE + text + 20), expected);
	assert_string_equal(expt_function_name(at(BASE + text + 20), EXPT_NAME_MANGLED),
			    expected);
	assert_int_equal(expt_function_size(at(BASE + text + 20)), 16);
	*strchr(expected, ' ') = '\0';
	assert_string_equal(expt_function_name(at(BASE + text + 20), EXPT_NAME_SHORT),
			    expected);
	assert_string_equal(name_at(BASE + 3), "<static>@0x0 (<object>)");
	snprintf(expected, sizeof(expected), "<static>@0x%lx (<object>)", text + 48);
	assert_string_equal(name_at(BASE + 8191), expected);
}

static void what_has_no_functions_is_one_row_that_says_so(void **state)
{
	static const char *const names[] = { "/missing/lib.so",
					     "/tmp/gone (deleted)",
					     "[vdso]",
					     "/memfd:code (deleted)",
					     "/",
					     "/proc/self/status",
					     "relative" };
	static const char *const shown[] = { "<lib.so>",  "<gone (deleted)>",
					     "<[vdso]>",  "<memfd:code (deleted)>",
					     "<>",	  "<status>",
					     "<relative>" };
	char expected[200];

	compile("relative", "cc -shared", "c", "int f(void) { return 1; }\n");
	for (uint64_t i = 0; i < 7; i++)
		add_segment_as(BASE + i * 0x10000, 0x2000, 0x1000, 5, "0.0", names[i],
			       "");
	open_experiment();
	for (uint64_t i = 0; i < 7; i++) {
		snprintf(expected, sizeof(expected),
			 "<static>@0x0 (%s) --  no functions found", shown[i]);
		assert_string_equal(name_at(BASE + i * 0x10000 + 0x1800), expected);
		assert_ptr_equal(at(BASE + i * 0x10000), at(BASE + i * 0x10000 + 0x1fff));
		assert_string_equal(expt_function_name(at(BASE + i * 0x10000),
						       EXPT_NAME_SHORT),
				    "<static>@0x0");
		assert_int_equal(expt_function_size(at(BASE + i * 0x10000)), 0x3000);
	}
}

static void a_stripped_object_is_one_row(void **state)
{
	uint64_t text;
	char path[4096];

	snprintf(path, sizeof(path), "%s", make_object("object", &text));
	compile("object", "cc -shared -nostdlib", "s", ".text\nx: .skip 4000\n");
	add_segment(BASE, 8192, path);
	open_experiment();
	assert_string_equal(name_at(BASE + text),
			    "<static>@0x0 (<object>) --  no functions found");
	assert_ptr_equal(at(BASE), at(BASE + 8000));
}

static void dynamic_functions_have_parts_and_gaps(void **state)
{
	add_part(0x7fff1010, 16, "[vdso]", "__vdso_time");
	add_part(0x7fff1100, 0x80, "[vdso]", "__vdso_getcpu");
	add_part(0x7fff1140, 0x10, "[vdso]", "inner");
	add_function(0x7fff1000, 4096, "0.0", "[vdso]");
	add_function(0x7fff4000, 4096, "0.0", "[vsyscall]");
	open_experiment();
	assert_string_equal(name_at(0x7fff1000), "<static>@0x7fff1000 ([vdso])");
	assert_string_equal(name_at(0x7fff1010), "__vdso_time");
	assert_string_equal(name_at(0x7fff101f), "__vdso_time");
	assert_string_equal(name_at(0x7fff1020), "<static>@0x7fff1020 ([vdso])");
	assert_string_equal(name_at(0x7fff113f), "__vdso_getcpu");
	assert_string_equal(name_at(0x7fff1140), "inner");
	assert_string_equal(name_at(0x7fff1fff), "<static>@0x7fff1150 ([vdso])");
	assert_string_equal(expt_function_name(at(0x7fff1fff), EXPT_NAME_SHORT),
			    "<static>@0x7fff1150");
	assert_string_equal(name_at(0x7fff4444), "[vsyscall]");
	assert_string_equal(name_at(0x7fff5000), "<Unknown>");
	assert_int_equal(expt_function_offset(at(0x7fff4444)), 0x7fff4000);
	assert_int_equal(expt_function_size(at(0x7fff1020)), 0xe0);
	assert_string_equal(expt_object_name(expt_function_object(at(0x7fff4444))),
			    "<DYNAMIC_FUNCTIONS>");
}

static void a_gap_is_the_same_row_after_it_was_named(void **state)
{
	const struct expt_function *gap;

	add_part(0x7fff1010, 16, "[vdso]", "__vdso_time");
	add_function(0x7fff1000, 4096, "0.0", "[vdso]");
	open_experiment();
	gap = at(0x7fff1800);
	assert_string_equal(expt_function_name(gap, EXPT_NAME_MANGLED),
			    "<static>@0x7fff1020 ([vdso])");
	assert_ptr_equal(at(0x7fff1800), gap);
	assert_ptr_equal(at(0x7fff1fff), gap);
}

static void dynamic_functions_at_one_address_are_told_by_time(void **state)
{
	add_function(0x7000, 64, "1.0", "first");
	add_unmap("2.0", 0x7000);
	add_function(0x7000, 64, "3.0", "second");
	open_experiment();
	assert_string_equal(
		expt_function_name(at_time(0x7004, 1500000000), EXPT_NAME_LONG), "first");
	assert_string_equal(expt_function_name(at_time(0x7004, 2500000000),
					       EXPT_NAME_LONG),
			    "second");
}

static void aliases_are_the_names_that_lost(void **state)
{
	const char *const *aliases;
	uint64_t text, size;
	struct elf *elf;
	char path[4096];

	snprintf(path, sizeof(path), "%s/object", here);
	compile("object", "cc -shared -nostdlib", "s",
		".text\n.globl f,_ZN1A1bEv,longer\n.type f,@function\n"
		".type _ZN1A1bEv,@function\n.type longer,@function\n"
		"f: _ZN1A1bEv: longer: .skip 16\n");
	elf = open_elf("object");
	assert_true(elf_section(elf, ".text", &text, &size));
	elf_close(elf);
	add_segment(BASE, 8192, path);
	add_text(
		"<event kind=\"map\" object=\"function\" tstamp=\"0.0\" vaddr=\"0x7000\" "
		"size=\"64\" name=\"method\" alias=\"its.other.name\" "
		"srcfile=\"/src/m.txt\"/>\n");
	open_experiment();
	assert_string_equal(name_at(BASE + text), "f");
	aliases = expt_function_aliases(at(BASE + text));
	assert_non_null(aliases);
	assert_string_equal(aliases[0], "A::b()");
	assert_string_equal(aliases[1], "longer");
	assert_null(aliases[2]);
	assert_string_equal(name_at(0x7000), "method");
	aliases = expt_function_aliases(at(0x7000));
	assert_non_null(aliases);
	assert_string_equal(aliases[0], "its.other.name");
	assert_null(aliases[1]);
	assert_string_equal(expt_function_source(at(0x7000)), "/src/m.txt");
	assert_null(expt_function_source(at(BASE + text)));
	assert_null(expt_function_aliases(at(0x10)));
}

/* ---- which file -------------------------------------------------------------------- */

/* Put a copy of the file there into the archive, under the name of the object at path. */
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
	struct elf_identity identity = { .path = path,
					 .size = size,
					 .mtime_ns = mtime_ns };
	char name[ARCHIVE_NAME_SIZE], out[512];
	struct elf *elf = open_elf(file);
	int fd;

	make_directory("test.1.er");
	make_directory("test.1.er/archives");
	expt_archive_description_name(name, path);
	snprintf(out, sizeof(out), "test.1.er/archives/%s", name);
	fd = open(out, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	identity.build_id = elf_build_id(elf);
	assert_int_equal(describe_object(elf, &identity, NULL, fd, NULL), 0);
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

/* The path of GONE in the archive, description or not. */
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
	/* archives of others keep the second only */
	snprintf(identity, sizeof(identity),
		 "fsize=\"%ld\" mtime=\"1600000000.999999999\"", status.st_size);
	archive(GONE, "object");
	add_segment_as(BASE, 8192, 0, 5, "0.0", GONE, identity);
	open_experiment();
	assert_file(archived(false), NULL);
	stop(state);
	/* a description says what it was made of */
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

static void a_missing_map_is_damage_and_nothing_more(void **state)
{
	write_experiment("test.1.er");
	assert_int_equal(unlink("test.1.er/map.xml"), 0);
	assert_int_equal(expt_open(&expt, "test.1.er", NULL), 0);
	assert_int_equal(expt_segment_count(expt), 0);
	assert_int_equal(expt_object_count(expt), 1);
	assert_string_equal(name_at(BASE), "<Unknown>");
	assert_int_equal(expt_damage_count(expt), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
		TEST(an_address_is_looked_up_by_its_image_offset),
		TEST(a_row_is_the_same_wherever_its_file_is_mapped),
		TEST(a_row_is_the_same_in_all_descendants),
		TEST(nothing_mapped_is_unknown),
		TEST(a_known_file_may_be_mapped_in_any_way),
		TEST(objects_are_numbered_in_the_order_of_loading),
		TEST(what_counts_is_what_is_unloaded_next),
		TEST(without_unloading_there_is_one_epoch),
		TEST(many_mappings_are_told_apart),
		TEST(the_address_space_has_an_end),
		TEST(gaps_are_named_after_their_start),
		TEST(what_has_no_functions_is_one_row_that_says_so),
		TEST(a_stripped_object_is_one_row),
		TEST(dynamic_functions_have_parts_and_gaps),
		TEST(a_gap_is_the_same_row_after_it_was_named),
		TEST(dynamic_functions_at_one_address_are_told_by_time),
		TEST(aliases_are_the_names_that_lost),
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
		TEST(a_missing_map_is_damage_and_nothing_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
