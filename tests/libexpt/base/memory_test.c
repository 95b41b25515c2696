/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and reads an experiment while memory runs out, at each allocation in turn: an
 * error or damage that says so, never a crash, and no leak. */
#include "tests/libexpt/test.h"

#include "libexpt/experiment/map.h"
#include "libexpt/expt.h"

/* AddressSanitizer brings its own allocator. */
#ifdef __SANITIZE_ADDRESS__
int main(void)
{
	puts("1..0 # SKIP the sanitizer has its own malloc");
	return 0;
}
#else

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

static long allocations_left = -1; /* before all fail; negative: unlimited */
static long live;		   /* allocations not yet freed */

static bool is_failing(void)
{
	if (allocations_left < 0)
		return false;
	if (allocations_left > 0) {
		allocations_left--;
		return false;
	}
	errno = ENOMEM;
	return true;
}

static void *count(void *memory)
{
	live += memory != NULL;
	return memory;
}

void *malloc(size_t size)
{
	return is_failing() ? NULL : count(__libc_malloc(size));
}

void *calloc(size_t number, size_t size)
{
	return is_failing() ? NULL : count(__libc_calloc(number, size));
}

void *realloc(void *memory, size_t size)
{
	if (!memory)
		return malloc(size);
	return is_failing() ? NULL : __libc_realloc(memory, size);
}

void free(void *memory)
{
	live -= memory != NULL;
	__libc_free(memory);
}

static int make_experiment(void **state)
{
	make_directory("memory.er");
	make_directory("memory.er/_f1.er");
	write_text("memory.er/_f1.er/log.xml", "<event kind=\"run\" tstamp=\"1.0\"/>");
	write_text("memory.er/notes", "a note\n");
	write_text("memory.er/log.xml",
		   "<system hostname=\"h\" arch=\"x86_64\" os=\"Linux\"/>\n"
		   "<process>./a.out</process>\n<setting limit=\"1\"/>\n"
		   "<profile name=\"profile\" ptimer=\"10007\"><profpckt kind=\"8\">\n"
		   "<field name=\"TSTAMP\" offset=\"32\" "
		   "type=\"INT64\"/></profpckt></profile>\n"
		   "<event kind=\"run\" tstamp=\"1.0\"/><bad/>\n"
		   "<event kind=\"cwarn\" id=\"1\">text</event>\n");
	write_text("memory.er/map.xml", "<event kind=\"map\" object=\"segment\" "
					"vaddr=\"1\" size=\"1\" modes=\"0x005\""
					" name=\"/a\"/>\n<bad/>\n"
					"<event kind=\"map\" object=\"function\" "
					"vaddr=\"1\" size=\"1\" name=\"f\""
					" alias=\"g\" srcfile=\"/h\"/>\n");
	return 0;
}

static int remove_experiment(void **state)
{
	remove_all("memory.er");
	return 0;
}

/* Returns true once there was enough memory for everything. */
static bool open_with(long allocations)
{
	struct expt *expt = NULL;
	struct expt_error err;
	long before = live;
	int rc;

	allocations_left = allocations;
	rc = expt_open(&expt, "memory.er", &err);
	if (rc == 0)
		expt_sample_count(expt);
	expt_close(expt);
	allocations_left = -1;
	assert_int_equal(live, before);
	if (rc < 0) {
		assert_int_equal(rc, -ENOMEM);
		assert_non_null(strstr(err.message, "Cannot allocate memory"));
	}
	return rc == 0;
}

static void an_experiment_opens_or_says_why_not(void **state)
{
	struct expt *expt = NULL;
	long allocations = 0;

	/* libxml2 keeps what it sets up in its first use. */
	assert_int_equal(expt_open(&expt, "memory.er", NULL), 0);
	expt_close(expt);
	while (!open_with(allocations))
		assert_true(++allocations < 1000);
	assert_true(allocations > 10);
}

static bool read_map_with(long allocations, int dir)
{
	struct expt_map map = { 0 };
	struct expt_error err;
	long before = live;
	int rc;

	allocations_left = allocations;
	rc = map_read(&map, &(struct folder){ .dir = dir }, &err);
	map_release(&map);
	allocations_left = -1;
	assert_int_equal(live, before);
	if (rc < 0)
		assert_int_equal(rc, -ENOMEM);
	return rc == 0;
}

static void a_map_is_read_or_says_why_not(void **state)
{
	int dir = open("memory.er", O_RDONLY | O_DIRECTORY);
	long allocations = 0;

	while (!read_map_with(allocations, dir))
		assert_true(++allocations < 1000);
	assert_true(allocations > 5);
	close(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(an_experiment_opens_or_says_why_not,
						make_experiment, remove_experiment),
		cmocka_unit_test_setup_teardown(a_map_is_read_or_says_why_not,
						make_experiment, remove_experiment),
	};

	return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
#endif
