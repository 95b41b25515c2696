/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/objects/lined_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/format.h"

/* ---- records ----------------------------------------------------------------------- */

static int take_header(struct lined_code *code, const unsigned char *record, size_t size)
{
	struct dynamic_lines *function;
	struct dyntext_header header;

	if (size < sizeof(header))
		return 0;
	memcpy(&header, record, sizeof(header));
	function = array_add(&code->functions);
	if (!function)
		return -ENOMEM;
	function->time_ns = header.time_ns > 0 ? (uint64_t)header.time_ns : 0;
	function->address = header.address;
	return 0;
}

static int compare_lines(const void *a, const void *b)
{
	const struct dynamic_line *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int take_lines(struct dynamic_lines *function, const unsigned char *content,
		      size_t size, struct arena *arena)
{
	size_t count = size / sizeof(struct dynamic_line);
	struct dynamic_line *lines = arena_alloc(arena, (count + 1) * sizeof(*lines));

	if (!lines)
		return -ENOMEM;
	memcpy(lines, content, count * sizeof(*lines));
	qsort(lines, count, sizeof(*lines), compare_lines);
	function->lines = lines;
	function->line_count = count;
	return 0;
}

static int take_source(struct dynamic_lines *function, const unsigned char *content,
		       size_t size, struct arena *arena)
{
	size_t length = strnlen((const char *)content, size);

	if (length == 0)
		return 0;
	function->source = arena_text(arena, (const char *)content, length);
	return function->source ? 0 : -ENOMEM;
}

static int take_record(struct lined_code *code, const unsigned char *bytes,
		       const struct dyntext_record *record, struct arena *arena)
{
	const unsigned char *content = bytes + sizeof(*record);
	size_t count = code->functions.count, size = record->size - sizeof(*record);
	struct dynamic_lines *last;

	if (record->type == DYNTEXT_HEADER)
		return take_header(code, bytes, record->size);
	if (count == 0)
		return 0;
	last = &code->functions.items[count - 1];
	if (record->type == DYNTEXT_LINES && !last->lines)
		return take_lines(last, content, size, arena);
	if (record->type == DYNTEXT_SOURCE && !last->source)
		return take_source(last, content, size, arena);
	return 0;
}

static int compare_functions(const void *a, const void *b)
{
	const struct dynamic_lines *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

int lined_code_parse(struct lined_code *code, const unsigned char *bytes, size_t size,
		     struct arena *arena)
{
	struct dyntext_record record;
	int rc = 0;

	for (size_t at = 0; rc == 0 && size - at >= sizeof(record); at += record.size) {
		memcpy(&record, bytes + at, sizeof(record));
		if (record.size < sizeof(record) || record.size > size - at)
			break;
		rc = take_record(code, bytes + at, &record, arena);
	}
	if (code->functions.count > 0)
		qsort(code->functions.items, code->functions.count,
		      sizeof(*code->functions.items), compare_functions);
	return rc;
}

/* ---- the file ---------------------------------------------------------------------- */

int lined_code_read(struct lined_code *code, const struct folder *folder,
		    struct arena *arena)
{
	struct io_file file;
	int rc = folder_read(&file, folder, DYNTEXT_FILE, NULL);

	if (rc < 0)
		return rc == -ENOENT ? 0 : rc;
	rc = lined_code_parse(code, file.bytes, file.size, arena);
	io_file_close(&file);
	return rc;
}

void lined_code_release(struct lined_code *code)
{
	array_release(&code->functions);
}

const struct dynamic_lines *lined_code_find(const struct lined_code *code,
					    const struct map_function *function)
{
	size_t low = 0, high = code->functions.count;
	const struct dynamic_lines *found;

	/* The last one that was written before the function ended. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		found = &code->functions.items[middle];
		if (found->address < function->address ||
		    (found->address == function->address &&
		     found->time_ns < function->unloaded_ns))
			low = middle + 1;
		else
			high = middle;
	}
	found = low > 0 ? &code->functions.items[low - 1] : NULL;
	if (!found || found->address != function->address ||
	    found->time_ns < function->loaded_ns)
		return NULL;
	return found;
}

size_t lined_code_count_to(const struct dynamic_line *lines, size_t count,
			   uint64_t offset)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
