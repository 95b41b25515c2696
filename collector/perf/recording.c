/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "libexpt/base/io.h"
#include "libexpt/cli/cli.h"

#define WINDOW_SIZE (256 * 1024)
#define NEAR	    (64 * 1024) /* a window is filled for records in this distance */
#define FAR_SIZE    (8 * 1024)
#define PIPE_HEADER 16

struct file_header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

int recording_damaged(const struct recording *recording, bool is_spooled, uint64_t offset,
		      const char *format, ...)
{
	char text[256];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return cli_error("'%s' is damaged at byte %llu%s: %s", recording->path,
			 (unsigned long long)offset,
			 is_spooled ? " of its decompressed records" : "", text);
}

/* ---- bytes ---- */

static int short_read(const struct recording *recording, ssize_t got, uint64_t offset)
{
	if (got < 0)
		return cli_error("cannot read '%s': %s", recording->path,
				 strerrordesc_np((int)-got));
	return recording_damaged(recording, false, offset + (uint64_t)got,
				 "the file ends there");
}

int recording_read(const struct recording *recording, void *bytes, size_t size,
		   uint64_t offset)
{
	ssize_t got = offset > INT64_MAX - size
			      ? 0
			      : io_pread_full(recording->fd, bytes, size, (off_t)offset);

	return got == (ssize_t)size ? CLI_OK : short_read(recording, got, offset);
}

static bool is_in_window(const struct window *window, int fd, uint64_t offset,
			 size_t size)
{
	return window->fd == fd && offset >= window->offset && size <= window->length &&
	       offset - window->offset <= window->length - size;
}

/* Records are read one after the other, or, those of one process after another, with
 * jumps. */
static ssize_t fill(struct window *window, int fd, uint64_t offset, size_t size)
{
	uint64_t end = window->offset + window->length;
	bool is_near = window->fd == fd && offset >= window->offset &&
		       offset < end + NEAR;
	size_t wanted = is_near ? WINDOW_SIZE : size > FAR_SIZE ? size : FAR_SIZE;
	ssize_t got = io_pread_full(fd, window->bytes, wanted, (off_t)offset);

	window->fd = fd;
	window->offset = offset;
	window->length = got < 0 ? 0 : (size_t)got;
	return got;
}

const void *recording_view(struct recording *recording, bool is_spooled, uint64_t offset,
			   size_t size)
{
	struct window *window = &recording->window;
	int fd = is_spooled ? recording->spool : recording->fd;
	ssize_t got;

	if (!is_in_window(window, fd, offset, size)) {
		got = offset > INT64_MAX ? 0 : fill(window, fd, offset, size);
		if (got < (ssize_t)size) {
			short_read(recording, got, offset);
			return NULL;
		}
	}
	return window->bytes + (offset - window->offset);
}

/* ---- the header ---- */

static bool is_inside(const struct recording *recording, const struct section *section)
{
	return section->offset <= recording->size &&
	       section->size <= recording->size - section->offset;
}

static int check_header(struct recording *recording, const struct file_header *header)
{
	if (memcmp(header->magic, RECORDING_REVERSE, sizeof(header->magic)) == 0)
		return cli_error("'%s' was recorded on a machine with another byte order",
				 recording->path);
	if (memcmp(header->magic, RECORDING_MAGIC, sizeof(header->magic)) != 0)
		return cli_error("'%s' is not a recording of perf", recording->path);
	if (header->size == PIPE_HEADER)
		return cli_error("'%s' was written to a pipe: record to a file, or copy "
				 "it with 'perf inject -i %s -o FILE'",
				 recording->path, recording->path);
	if (header->size < sizeof(*header))
		return recording_damaged(recording, false, 8, "a header of %llu bytes",
					 (unsigned long long)header->size);
	return CLI_OK;
}

static int read_header(struct recording *recording, struct file_header *header)
{
	ssize_t got = io_pread_full(recording->fd, header, sizeof(*header), 0);
	int status;

	if (got >= PIPE_HEADER && (size_t)got < sizeof(*header))
		memset((char *)header + got, 0, sizeof(*header) - (size_t)got);
	else if (got < PIPE_HEADER)
		return short_read(recording, got, 0);
	status = check_header(recording, header);
	if (status != CLI_OK)
		return status;
	recording->data = header->data;
	recording->features = header->features[0];
	if (header->data.size == 0 && header->data.offset <= recording->size) {
		recording->is_unfinished = true;
		recording->features = 0;
		recording->data.size = recording->size - header->data.offset;
	}
	if (!is_inside(recording, &recording->data))
		return recording_damaged(
			recording, false, recording->size,
			"the file ends there, and its data at byte %llu",
			(unsigned long long)(header->data.offset + header->data.size));
	return is_inside(recording, &header->attrs)
		       ? CLI_OK
		       : recording_damaged(recording, false, 24,
					   "events outside of the file");
}

/* ---- events ---- */

static int compare_ids(const void *a, const void *b)
{
	const struct event_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

unsigned recording_kind(const struct recording *recording, uint64_t id)
{
	const struct event_id key = { .id = id };
	const struct event_id *found = recording->id_count == 0
					       ? NULL
					       : bsearch(&key, recording->ids,
							 recording->id_count, sizeof(key),
							 compare_ids);

	return found ? found->kind : (unsigned)recording->kind_count;
}

static int read_ids(struct recording *recording, const struct section *section,
		    unsigned kind, uint64_t at)
{
	size_t count = section->size / sizeof(uint64_t);
	struct event_id *grown;

	if (!is_inside(recording, section) ||
	    recording->id_count + count > recording->size / sizeof(uint64_t))
		return recording_damaged(recording, false, at,
					 "numbers of an event outside of the file");
	if (count == 0)
		return CLI_OK;
	grown = realloc(recording->ids, (recording->id_count + count) * sizeof(*grown));
	if (!grown)
		return cli_error("out of memory");
	recording->ids = grown;
	for (size_t i = 0; i < count; i++) {
		struct event_id *id = &recording->ids[recording->id_count];

		if (recording_read(recording, &id->id, sizeof(id->id),
				   section->offset + i * sizeof(uint64_t)) != CLI_OK)
			return CLI_FAILED;
		id->kind = kind;
		recording->id_count++;
	}
	return CLI_OK;
}

/* The kernel's structure grows with its versions. */
static int read_kind(struct recording *recording, uint64_t at, size_t attr_size)
{
	struct event_kind *kind = &recording->kinds[recording->kind_count];
	size_t known = attr_size < sizeof(kind->attr) ? attr_size : sizeof(kind->attr);
	struct section ids;

	if (recording_read(recording, &kind->attr, known, at) != CLI_OK ||
	    recording_read(recording, &ids, sizeof(ids), at + attr_size) != CLI_OK)
		return CLI_FAILED;
	return read_ids(recording, &ids, (unsigned)recording->kind_count++, at);
}

static int read_kinds(struct recording *recording, const struct file_header *header)
{
	size_t entry = header->attr_size, count;

	if (entry < PERF_ATTR_SIZE_VER0 + sizeof(struct section) || entry > 4096 ||
	    header->attrs.size < entry)
		return recording_damaged(recording, false, 16, "there are no events");
	count = header->attrs.size / entry;
	recording->kinds = calloc(count, sizeof(*recording->kinds));
	if (!recording->kinds)
		return cli_error("out of memory");
	for (size_t i = 0; i < count; i++)
		if (read_kind(recording, header->attrs.offset + i * entry,
			      entry - sizeof(struct section)) != CLI_OK)
			return CLI_FAILED;
	if (recording->id_count > 0)
		qsort(recording->ids, recording->id_count, sizeof(*recording->ids),
		      compare_ids);
	return CLI_OK;
}

/* ---- the file ---- */

int recording_open(struct recording *recording, const char *path)
{
	struct file_header header;
	struct stat status;

	*recording = (struct recording){ .path = path, .spool = -1, .window.fd = -1 };
	recording->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (recording->fd < 0 || fstat(recording->fd, &status) < 0)
		return cli_error("cannot open '%s': %s", path, strerrordesc_np(errno));
	if (!S_ISREG(status.st_mode))
		return cli_error("'%s' is not a regular file", path);
	recording->size = (uint64_t)status.st_size;
	recording->modified_ns = timespec_ns(&status.st_mtim);
	recording->window.bytes = malloc(WINDOW_SIZE);
	if (!recording->window.bytes)
		return cli_error("out of memory");
	if (read_header(recording, &header) != CLI_OK)
		return CLI_FAILED;
	return read_kinds(recording, &header);
}

void recording_close(struct recording *recording)
{
	for (size_t i = 0; i < recording->kind_count; i++)
		free(recording->kinds[i].name);
	free(recording->kinds);
	free(recording->ids);
	free(recording->window.bytes);
	if (recording->spool >= 0)
		close(recording->spool);
	if (recording->fd >= 0)
		close(recording->fd);
}
