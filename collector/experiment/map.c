/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load map, read from /proc/self/maps, which has the names of the files, and from
 * dl_iterate_phdr, which knows the build-ids.
 */

#include "collector/experiment/map.h"

#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/common/map_text.h"
#include "collector/common/settings.h"
#include "collector/common/vdso.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/files/output.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "libexpt/format.h"

#define MAPS_READ_SIZE	(64 * 1024)
#define LONGEST_TICK_NS 10000000 /* of the kernel: file times may lag by this much */

struct segment {
	struct segment *next;
	struct map_segment is;
	bool is_mapped, is_found;
	bool is_new;   /* see loadmap_any_new_file() */
	bool is_dump;  /* not code, but the mapping that announces a jitdump file */
	size_t length; /* of the name */
	char name[];
};

static struct segment *segments, **last_segment = &segments;
static struct spin lock;
MEMORY_APART static char record_buffer[MAP_EVENT_MAX];

/* ---- times ---- */

static uint64_t relative(uint64_t now)
{
	return now > process.start_ns ? now - process.start_ns : 0;
}

void loadmap_add_event(struct text *text, const char *object, uint64_t now,
		       uintptr_t address)
{
	map_event_begin(text, object, relative(now), address);
}

void loadmap_add_unmap(struct text *text, uintptr_t address, uint64_t now)
{
	map_event_unmap(text, relative(now), address);
}

/* ---- identity ---- */

/* A mapping consists of whole pages, of which the object may use a few bytes. No two
 * objects share a page. */
static bool has_bytes_of(const struct map_segment *segment,
			 const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;

		if (header->p_type == PT_LOAD &&
		    start < segment->address + segment->size &&
		    segment->address < start + header->p_memsz)
			return true;
	}
	return false;
}

static int find_build_id(struct dl_phdr_info *info, size_t size, void *data)
{
	struct map_segment *segment = data;

	if (!has_bytes_of(segment, info))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_NOTE && segment->build_id[0] == '\0')
			map_event_copy_build_id(
				(const void *)(info->dlpi_addr + header->p_vaddr),
				header->p_memsz, segment->build_id);
	}
	return 1;
}

static void identify(struct map_segment *segment)
{
	dl_iterate_phdr(find_build_id, segment);
	map_event_identify(segment);
}

static bool is_as_new_as_run(const struct map_segment *segment)
{
	static uint64_t run_began_ns;
	struct timespec wall;

	if (run_began_ns == 0) {
		clock_gettime(CLOCK_REALTIME, &wall);
		run_began_ns = timespec_ns(&wall) -
			       (collector_now() - settings.founder_start_ns);
	}
	return segment->changed_ns + LONGEST_TICK_NS > run_began_ns;
}

/* ---- jitdump ---- */

/* A program that makes code may describe it in a file of this name, which it maps as
 * executable so that perf records its name. */
static __attribute__((cold)) bool is_jitdump(const char *name)
{
	const char *base = strrchr(name, '/') + 1;
	size_t length = strlen(base);

	return length > 9 && memcmp(base, "jit-", 4) == 0 &&
	       memcmp(base + length - 5, ".dump", 5) == 0;
}

/* A jitdump's times are those of CLOCK_MONOTONIC, which is adjusted continually; the
 * clock of records is not. */
static __attribute__((cold)) void note_jitdump(const char *name)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	text_add(&text, JITDUMP_COMMENT);
	text_add_decimal(&text, (int64_t)(timespec_ns(&time) - collector_now()));
	text_add(&text, " ");
	text_add(&text, name);
	log_message("comment", EXPT_COMMENT, text.start, 0);
}

/* ---- the list ---- */

static void write_record(const struct text *text)
{
	if (output_is_open(&files.map))
		output_put_text(&files.map, text->start, text->length);
}

bool loadmap_put(const struct text *record)
{
	bool is_put = false;

	if (!spin_lock(&lock))
		return false;
	if (output_is_open(&files.map))
		is_put = output_put_text(&files.map, record->start, record->length);
	spin_unlock(&lock);
	return is_put;
}

static bool is_same(const struct segment *segment, const struct map_segment *line,
		    const char *name)
{
	return segment->is_mapped && segment->is.address == line->address &&
	       segment->is.size == line->size &&
	       segment->is.file_offset == line->file_offset &&
	       strcmp(segment->name, name) == 0;
}

static void note_segment(const struct map_segment *line, const char *name)
{
	struct text text = TEXT_ON(record_buffer);
	size_t length = strlen(name);
	struct segment *segment;

	for (segment = segments; segment; segment = segment->next) {
		if (is_same(segment, line, name)) {
			segment->is_found = true;
			return;
		}
	}
	segment = memory_get(sizeof(*segment) + length + 1);
	if (!segment)
		return;
	segment->is = *line;
	segment->length = length;
	segment->is_mapped = segment->is_found = true;
	segment->is.name = memcpy(segment->name, name, length + 1);
	*last_segment = segment;
	last_segment = &segment->next;
	segment->is_dump = is_jitdump(name);
	if (segment->is_dump) {
		note_jitdump(name);
		return;
	}
	identify(&segment->is);
	segment->is_new = is_as_new_as_run(&segment->is);
	map_event_segment(&text, &segment->is, relative(collector_now()));
	write_record(&text);
}

static void drop_unmapped(void)
{
	for (struct segment *segment = segments; segment; segment = segment->next) {
		struct text text = TEXT_ON(record_buffer);

		if (segment->is_mapped && !segment->is_found) {
			segment->is_mapped = false;
			if (segment->is_dump)
				continue;
			loadmap_add_unmap(&text, segment->is.address, collector_now());
			write_record(&text);
		}
		segment->is_found = false;
	}
}

/* ---- /proc/self/maps ---- */

static uint64_t parse_hex(const char **at)
{
	uint64_t value = 0;

	for (;; (*at)++) {
		if (**at >= '0' && **at <= '9')
			value = value << 4 | (uint64_t)(**at - '0');
		else if (**at >= 'a' && **at <= 'f')
			value = value << 4 | (uint64_t)(**at - 'a' + 10);
		else
			return value;
	}
}

/* "start-end r-xp offset major:minor inode   /path", ended by NUL. */
static void parse_line(char *line)
{
	static const char deleted[] = " (deleted)";
	struct map_segment segment = { 0 };
	const char *at = line;
	char *name = strchr(line, '/');
	size_t length;

	segment.address = parse_hex(&at);
	at++;
	segment.size = parse_hex(&at) - segment.address;
	if (!name || name[-1] != ' ' || strncmp(at, " r-xp ", 6) != 0)
		return;
	at += 6;
	segment.file_offset = parse_hex(&at);
	length = strlen(name);
	if (length > sizeof(deleted) &&
	    strcmp(name + length - (sizeof(deleted) - 1), deleted) == 0)
		name[length - (sizeof(deleted) - 1)] = '\0';
	note_segment(&segment, name);
}

/* The kernel returns complete lines; a line that does not fit is returned again by the
 * next read. */
static bool read_maps(char *buffer)
{
	int fd = sys_openat(AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
	size_t length = 0;
	ssize_t n;

	if (fd < 0)
		return false;
	while ((n = sys_read(fd, buffer + length, MAPS_READ_SIZE - 1 - length)) > 0) {
		char *line = buffer, *end;

		length += (size_t)n;
		buffer[length] = '\0';
		while ((end = strchr(line, '\n')) != NULL) {
			*end = '\0';
			parse_line(line);
			line = end + 1;
		}
		length -= (size_t)(line - buffer);
		memmove(buffer, line, length);
	}
	sys_close(fd);
	return true;
}

void loadmap_refresh(void)
{
	char *buffer = memory_get_pages(MAPS_READ_SIZE);

	if (!buffer)
		return;
	if (spin_lock(&lock)) {
		if (read_maps(buffer))
			drop_unmapped();
		spin_unlock(&lock);
	}
	memory_return_pages(buffer, MAPS_READ_SIZE);
}

/* ---- a new map.xml ---- */

size_t loadmap_compose_size(void)
{
	size_t size = 16384;

	for (struct segment *segment = segments; segment; segment = segment->next)
		size += 512 + 4 * segment->length;
	return size;
}

void loadmap_compose(struct text *text)
{
	for (struct segment *segment = segments; segment; segment = segment->next)
		if (segment->is_mapped && !segment->is_dump)
			map_event_segment(text, &segment->is, 0);
	vdso_compose(text, 0, 0);
}

/* ---- files that may not last ---- */

bool loadmap_any_new_file(loadmap_question *holds)
{
	for (struct segment *segment = segments; segment; segment = segment->next)
		if (segment->is_new && holds(segment->is.build_id))
			return true;
	return false;
}

/* The parent describes its own mappings. Pages without a new file are not written to. */
static void forget_new_files(void)
{
	for (struct segment *segment = segments; segment; segment = segment->next)
		if (segment->is_new)
			segment->is_new = false;
}

void loadmap_forget(void)
{
	atomic_store(&lock.is_held, 0);
	forget_new_files();
}
