/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment for tests, with a map of their own. */
#ifndef TESTS_LIBEXPT_OBJECTS_MAPPED_H
#define TESTS_LIBEXPT_OBJECTS_MAPPED_H

#include "tests/libexpt/compile.h"

#include "libexpt/expt.h"

/* Text of map.xml; see add_segment(). */
static char map_text[65536];
static struct expt *expt;
static char here[2048];

#define BASE UINT64_C(0x555555554000)

static void add_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline void add_text(const char *format, ...)
{
	size_t length = strlen(map_text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(map_text + length, sizeof(map_text) - length, format, arguments);
	va_end(arguments);
}

static inline void add_segment_as(uint64_t address, uint64_t size, uint64_t offset,
				  unsigned modes, const char *time, const char *name,
				  const char *identity)
{
	add_text(
		"<event kind=\"map\" object=\"segment\" tstamp=\"%s\" vaddr=\"0x%016lX\" "
		"size=\"%lu\" pagesz=\"4096\" foffset=\"+0x%08lx\" modes=\"0x%03X\" "
		"chksum=\"0xFFFFFFFF\" name=\"%s\" %s/>\n",
		time, address, size, offset, modes, name, identity);
}

static inline void add_segment(uint64_t address, uint64_t size, const char *name)
{
	add_segment_as(address, size, 0, 5, "0.0", name, "");
}

static inline void add_function(uint64_t address, uint64_t size, const char *time,
				const char *name)
{
	add_text("<event kind=\"map\" object=\"function\" tstamp=\"%s\" "
		 "vaddr=\"0x%016lX\" "
		 "size=\"%lu\" name=\"%s\"/>\n",
		 time, address, size, name);
}

static inline void add_part(uint64_t address, uint64_t size, const char *owner,
			    const char *name)
{
	add_text("<event kind=\"map\" object=\"dynfunc\" name=\"%s\" vaddr=\"0x%016lX\" "
		 "size=\"%lu\" funcname=\"%s\"/>\n",
		 owner, address, size, name);
}

static inline void add_unmap(const char *time, uint64_t address)
{
	add_text("<event kind=\"unmap\" tstamp=\"%s\" vaddr=\"0x%016lX\"/>\n", time,
		 address);
}

/* Writes an experiment whose run began in 2023, with the map added so far. */
static inline void write_experiment(const char *path)
{
	char file[300];

	make_directory(path);
	snprintf(file, sizeof(file), "%s/log.xml", path);
	write_text(file, "<event kind=\"run\" tstamp=\"5.0\" time=\"1700000000\"/>\n");
	snprintf(file, sizeof(file), "%s/map.xml", path);
	write_text(file, map_text);
	map_text[0] = '\0';
}

static inline void open_experiment(void)
{
	struct expt_error err;

	write_experiment("test.1.er");
	if (expt_open(&expt, "test.1.er", &err) < 0)
		fail_msg("%s", err.message);
}

static inline int start(void **state)
{
	map_text[0] = '\0';
	return getcwd(here, sizeof(here)) ? 0 : -1;
}

static inline int stop(void **state)
{
	expt_close(expt);
	expt = NULL;
	remove_all("test.1.er");
	return 0;
}

static inline const struct expt_function *at_time(uint64_t address, uint64_t time_ns)
{
	struct expt_place place;

	expt_place(expt, address, time_ns, &place);
	assert_non_null(place.function);
	return place.function;
}

static inline const struct expt_function *at(uint64_t address)
{
	return at_time(address, 0);
}

static inline const char *name_at(uint64_t address)
{
	return expt_function_name(at(address), EXPT_NAME_LONG);
}

/* Makes an object with two functions of 16 bytes, 16 bytes apart, at image offset *text.
 */
static inline const char *make_object(const char *name, uint64_t *text)
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

#endif
