/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load map, from /proc/self/maps, where the names are those of the files, and from
 * dl_iterate_phdr, which knows the build-ids.
 */

#include <collector/collector.h>
#include <collector/loadmap.h>
#include <collector/memory.h>
#include <collector/system.h>
#include <collector/vdso.h>
#include <elf.h>
#include <libexpt/format.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#define MAPS_READ_SIZE	 (64 * 1024)
#define SEGMENT_TEXT_MAX (PATH_MAX * 4 + 512)

struct segment {
	struct segment *next;
	uintptr_t address;
	size_t size;
	uint64_t file_offset;
	uint64_t file_size, file_time_ns;
	char build_id[BUILD_ID_MAX * 2 + 1]; /* "" if unknown */
	bool is_mapped, is_found;
	char name[];
};

static struct segment *segments, **last_segment = &segments;
static struct spin lock;
static char record_buffer[SEGMENT_TEXT_MAX];

/* ---- one line of map.xml ---- */

void loadmap_add_event(struct text *text, const char *object, uint64_t now,
		       uintptr_t address)
{
	text_add(text, "<event kind=\"map\" object=\"");
	text_add(text, object);
	text_add(text, "\" tstamp=\"");
	text_add_time(text, now > process.start_ns ? now - process.start_ns : 0);
	text_add(text, "\" vaddr=\"0x");
	text_add_hex(text, address, 16);
	text_add(text, "\"");
}

static void add_segment(struct text *text, const struct segment *segment, uint64_t now)
{
	loadmap_add_event(text, "segment", now, segment->address);
	text_add_number(text, "size", (int64_t)segment->size);
	text_add_number(text, "pagesz", 4096);
	text_add(text, " foffset=\"+0x");
	text_add_hex(text, segment->file_offset, 8);
	text_add(text, "\" modes=\"0x");
	text_add_hex(text, EXPT_MAP_LOAD_OBJECT, 3);
	text_add(text, "\" chksum=\"" MAP_CHECKSUM_UNKNOWN "\"");
	if (segment->build_id[0] != '\0')
		text_add_attribute(text, "buildid", segment->build_id);
	if (segment->file_time_ns > 0) {
		text_add_number(text, "fsize", (int64_t)segment->file_size);
		text_add(text, " mtime=\"");
		text_add_time(text, segment->file_time_ns);
		text_add(text, "\"");
	}
	text_add_attribute(text, "name", segment->name);
	text_add(text, "/>\n");
}

void loadmap_add_unmap(struct text *text, uintptr_t address, uint64_t now)
{
	text_add(text, "<event kind=\"unmap\" tstamp=\"");
	text_add_time(text, now > process.start_ns ? now - process.start_ns : 0);
	text_add(text, "\" vaddr=\"0x");
	text_add_hex(text, address, 16);
	text_add(text, "\"/>\n");
}

/* ---- identity ---- */

struct build_id_query {
	uintptr_t address;
	struct segment *segment;
};

static void copy_build_id(const ElfW(Nhdr) * note, size_t size, char *id)
{
	const char *at = (const char *)note;
	const char *const end = at + size;

	while (at + sizeof(*note) <= end) {
		const ElfW(Nhdr) *head = (const ElfW(Nhdr) *)(const void *)at;
		const char *name = at + sizeof(*head);
		const char *value = name + ((head->n_namesz + 3) & ~3U);
		struct text text = text_on(id, BUILD_ID_MAX * 2 + 1);

		at = value + ((head->n_descsz + 3) & ~3U);
		if (at > end || head->n_type != NT_GNU_BUILD_ID || head->n_namesz != 4 ||
		    memcmp(name, "GNU", 4) != 0 || head->n_descsz > BUILD_ID_MAX)
			continue;
		for (size_t i = 0; i < head->n_descsz; i++)
			text_add_byte(&text, (unsigned char)value[i]);
		return;
	}
}

static int find_build_id(struct dl_phdr_info *info, size_t size, void *data)
{
	struct build_id_query *query = data;
	bool is_inside = false;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD &&
		    query->address - (info->dlpi_addr + header->p_vaddr) < header->p_memsz)
			is_inside = true;
	}
	if (!is_inside)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_NOTE && query->segment->build_id[0] == '\0')
			copy_build_id((const void *)(info->dlpi_addr + header->p_vaddr),
				      header->p_memsz, query->segment->build_id);
	}
	return 1;
}

static void identify(struct segment *segment)
{
	/* The file's first bytes may belong to another page: ask for what is behind them. */
	struct build_id_query query = { segment->address + segment->size / 2, segment };
	struct stat status;

	dl_iterate_phdr(find_build_id, &query);
	if (sys_stat(segment->name, &status) < 0)
		return;
	segment->file_size = (uint64_t)status.st_size;
	segment->file_time_ns = timespec_ns(&status.st_mtim);
}

/* ---- the list ---- */

static void write_record(const struct text *text)
{
	if (process.map.fd >= 0)
		output_put_text(&process.map, text->start, text->length);
}

bool loadmap_put(const struct text *record)
{
	bool is_put = false;

	if (!spin_lock(&lock))
		return false;
	if (process.map.fd >= 0)
		is_put = output_put_text(&process.map, record->start, record->length);
	spin_unlock(&lock);
	return is_put;
}

static bool is_same(const struct segment *segment, const struct segment *line,
		    const char *name)
{
	return segment->is_mapped && segment->address == line->address &&
	       segment->size == line->size && segment->file_offset == line->file_offset &&
	       strcmp(segment->name, name) == 0;
}

static void note_segment(const struct segment *line, const char *name)
{
	struct text text = TEXT_ON(record_buffer);
	size_t length = strlen(name);
	struct segment *segment;

	for (segment = segments; segment != NULL; segment = segment->next) {
		if (is_same(segment, line, name)) {
			segment->is_found = true;
			return;
		}
	}
	segment = memory_get(sizeof(*segment) + length + 1);
	if (segment == NULL)
		return;
	segment->address = line->address;
	segment->size = line->size;
	segment->file_offset = line->file_offset;
	segment->is_mapped = segment->is_found = true;
	memcpy(segment->name, name, length + 1);
	identify(segment);
	*last_segment = segment;
	last_segment = &segment->next;
	add_segment(&text, segment, collector_now());
	write_record(&text);
}

static void drop_unmapped(void)
{
	for (struct segment *segment = segments; segment != NULL; segment = segment->next) {
		struct text text = TEXT_ON(record_buffer);

		if (segment->is_mapped && !segment->is_found) {
			segment->is_mapped = false;
			loadmap_add_unmap(&text, segment->address, collector_now());
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
	struct segment segment = { 0 };
	const char *at = line;
	char *name = strchr(line, '/');
	size_t length;

	segment.address = parse_hex(&at);
	at++;
	segment.size = parse_hex(&at) - segment.address;
	if (name == NULL || name[-1] != ' ' || strncmp(at, " r-xp ", 6) != 0)
		return;
	at += 6;
	segment.file_offset = parse_hex(&at);
	length = strlen(name);
	if (length > sizeof(deleted) &&
	    strcmp(name + length - (sizeof(deleted) - 1), deleted) == 0)
		name[length - (sizeof(deleted) - 1)] = '\0';
	note_segment(&segment, name);
}

/* The kernel gives whole lines; a line that does not fit into what is left comes again. */
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

	if (buffer == NULL)
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

	for (struct segment *segment = segments; segment != NULL; segment = segment->next)
		size += 512 + 4 * strlen(segment->name);
	return size;
}

void loadmap_compose(struct text *text)
{
	for (struct segment *segment = segments; segment != NULL; segment = segment->next)
		if (segment->is_mapped)
			add_segment(text, segment, process.start_ns);
	vdso_compose(text);
}

void loadmap_forget(void)
{
	atomic_store(&lock.is_held, 0);
}
