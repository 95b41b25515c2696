/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bytecode/line_tables.h"

#include "libexpt/bytecode/numbers.h"

#define ENTRY_SIZE 4

/* Returns the bytes, or NULL if there are fewer, which ends the reading. */
static const unsigned char *take(struct line_tables *tables, size_t size)
{
	const unsigned char *at = tables->at;

	if ((size_t)(tables->end - at) < size) {
		tables->at = tables->end;
		tables->attributes = 0;
		return NULL;
	}
	tables->at += size;
	return at;
}

void line_tables_begin(struct line_tables *tables, const struct class_file *file,
		       const struct class_code *code)
{
	const unsigned char *count;

	*tables = (struct line_tables){
		.file = file,
		.at = code->rest,
		.end = code->rest + code->rest_size,
	};
	count = take(tables, 2);
	if (count && take(tables, 8 * (size_t)u2(count))) /* handlers of exceptions */
		count = take(tables, 2);
	else
		count = NULL;
	tables->attributes = count ? u2(count) : 0;
}

/* Go to the next attribute. It has no entries unless it is a table of lines. */
static bool next_attribute(struct line_tables *tables)
{
	const unsigned char *head, *bytes;

	if (tables->attributes == 0)
		return false;
	tables->attributes--;
	head = take(tables, 6);
	bytes = head ? take(tables, u4(head + 2)) : NULL;
	tables->entry_count = 0;
	if (!bytes || u4(head + 2) < 2 ||
	    !class_file_is_text(tables->file, u2(head), "LineNumberTable"))
		return bytes;
	tables->entries = bytes + 2;
	tables->entry_count = u2(bytes);
	if (tables->entry_count > (u4(head + 2) - 2) / ENTRY_SIZE)
		tables->entry_count = (u4(head + 2) - 2) / ENTRY_SIZE;
	return true;
}

bool line_tables_next(struct line_tables *tables, uint32_t *offset, uint32_t *line)
{
	while (tables->entry_count == 0)
		if (!next_attribute(tables))
			return false;
	*offset = u2(tables->entries);
	*line = u2(tables->entries + 2);
	tables->entries += ENTRY_SIZE;
	tables->entry_count--;
	return true;
}
