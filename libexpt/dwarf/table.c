/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a line table, which names files. */
#include "libexpt/dwarf/table.h"

#include <dwarf.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/dwarf/value.h"

#define FIELDS_MAX 16 /* of an entry: the format has five kinds */
#define FILES_MAX  ((size_t)1 << 16)

/* ---- files, before version 5 ------------------------------------------------------- */

static bool add_directory(struct dwarf_table *table, const char *name)
{
	const char **directory = table->directories.count < FILES_MAX
					 ? array_add(&table->directories)
					 : NULL;

	if (!directory)
		return false;
	*directory = name;
	return true;
}

static bool add_file(struct dwarf_table *table, const struct dwarf_file_entry *entry)
{
	struct dwarf_file_entry *new =
		table->files.count < FILES_MAX ? array_add(&table->files) : NULL;

	if (!new)
		return false;
	*new = *entry;
	return true;
}

static bool read_old_files(struct dwarf_table *table, struct cursor *cursor)
{
	struct dwarf_file_entry entry = { .name = NULL };
	const char *name;

	if (!add_directory(table, table->base))
		return false;
	while ((name = cursor_text(cursor)) && *name)
		if (!add_directory(table, name))
			return false;
	while ((entry.name = cursor_text(cursor)) && *entry.name) {
		entry.directory = cursor_leb128(cursor);
		cursor_leb128(cursor); /* time */
		cursor_leb128(cursor); /* size */
		if (!add_file(table, &entry))
			return false;
	}
	table->first_file = 1;
	return !cursor->failed;
}

/* ---- files, since version 5 -------------------------------------------------------- */

struct format {
	struct {
		uint64_t content, form;
	} fields[FIELDS_MAX];
	unsigned count;
};

static bool read_format(struct format *format, struct cursor *cursor)
{
	format->count = (unsigned)cursor_number(cursor, 1);
	if (format->count > FIELDS_MAX)
		return false;
	for (unsigned i = 0; i < format->count; i++) {
		format->fields[i].content = cursor_leb128(cursor);
		format->fields[i].form = cursor_leb128(cursor);
	}
	return !cursor->failed;
}

/* If only some files of a table have a sum, the assembler writes zeros for the others. */
static const unsigned char *sum_or_none(const unsigned char *md5)
{
	for (int i = 0; md5 && i < MD5_SIZE; i++)
		if (md5[i])
			return md5;
	return NULL;
}

static void read_file(struct dwarf_file_entry *entry, struct cursor *cursor,
		      const struct format *format, const struct dwarf_encoding *encoding)
{
	struct dwarf_value value;

	*entry = (struct dwarf_file_entry){ .name = NULL };
	for (unsigned i = 0; i < format->count; i++) {
		dwarf_value_read(&value, cursor, (unsigned)format->fields[i].form, 0,
				 encoding);
		if (format->fields[i].content == DW_LNCT_path)
			entry->name = dwarf_value_text(&value, encoding, NULL);
		else if (format->fields[i].content == DW_LNCT_directory_index)
			entry->directory = value.number;
		else if (format->fields[i].content == DW_LNCT_MD5)
			entry->md5 = sum_or_none(value.bytes);
	}
}

/* An entry without fields takes no bytes, so their number would be anything. */
static bool read_new_files(struct dwarf_table *table, struct cursor *cursor)
{
	struct dwarf_file_entry entry;
	struct format format;

	if (!read_format(&format, cursor))
		return false;
	for (uint64_t left = cursor_leb128(cursor); left > 0 && format.count > 0;
	     left--) {
		read_file(&entry, cursor, &format, &table->encoding);
		if (cursor->failed || !add_directory(table, entry.name))
			return false;
	}
	if (!read_format(&format, cursor))
		return false;
	for (uint64_t left = cursor_leb128(cursor); left > 0 && format.count > 0;
	     left--) {
		read_file(&entry, cursor, &format, &table->encoding);
		if (cursor->failed || !add_file(table, &entry))
			return false;
	}
	return !cursor->failed;
}

/* ---- the head ---------------------------------------------------------------------- */

/* Read up to the parameters of the program, and place the program after the head. */
static bool read_sizes(struct dwarf_table *table, struct cursor *cursor)
{
	struct dwarf_encoding *encoding = &table->encoding;
	uint64_t length = cursor_length(cursor, &encoding->offset_size);
	struct cursor end = *cursor;

	if (length == 0 || !cursor_skip(&end, length))
		return false;
	cursor->end = end.at;
	table->end = table->offset + length + (encoding->offset_size == 8 ? 12 : 4);
	encoding->version = (unsigned)cursor_number(cursor, 2);
	if (encoding->version < 2 || encoding->version > 5)
		return false;
	if (encoding->version >= 5) {
		encoding->address_size = (unsigned)cursor_number(cursor, 1);
		cursor_number(cursor, 1); /* size of a segment selector */
	}
	length = cursor_number(cursor, encoding->offset_size);
	table->program = *cursor;
	cursor_skip(&table->program, length);
	cursor->end = table->program.at;
	return !table->program.failed;
}

static bool read_parameters(struct dwarf_table *table, struct cursor *cursor)
{
	table->step = (unsigned)cursor_number(cursor, 1);
	if (table->encoding.version >= 4)
		cursor_number(cursor, 1); /* operations in an instruction: one */
	table->is_statement = cursor_number(cursor, 1) != 0;
	table->line_base = (int8_t)cursor_number(cursor, 1);
	table->line_range = (unsigned)cursor_number(cursor, 1);
	table->opcode_base = (unsigned)cursor_number(cursor, 1);
	if (table->opcode_base == 0 || table->line_range == 0)
		return false;
	table->operand_counts = cursor_skip(cursor, table->opcode_base - 1);
	return !cursor->failed;
}

static bool read_head(struct dwarf_table *table, struct cursor *cursor)
{
	return read_sizes(table, cursor) && read_parameters(table, cursor) &&
	       (table->encoding.version >= 5 ? read_new_files(table, cursor)
					     : read_old_files(table, cursor));
}

void dwarf_table_free(struct dwarf_table *table)
{
	array_release(&table->directories);
	array_release(&table->files);
	array_release(&table->lines);
	array_release(&table->sequences);
	array_release(&table->spans);
	free(table);
}

static void freep(struct dwarf_table **table)
{
	if (*table)
		dwarf_table_free(*table);
}

static struct dwarf_table *read_table(struct dwarf_file *file, uint64_t offset,
				      const char *base)
{
	cleanup(freep) struct dwarf_table *table = calloc(1, sizeof(*table));
	struct cursor cursor = dwarf_cursor(file, DWARF_LINES, offset);
	struct dwarf_table **slot;

	if (!table || cursor.failed || file->line_budget == 0)
		return NULL;
	table->encoding = (struct dwarf_encoding){ .file = file, .address_size = 8 };
	table->base = base;
	table->offset = offset;
	if (!read_head(table, &cursor))
		return NULL;
	dwarf_spend(&file->line_budget, table->end - offset);
	slot = array_add(&file->dwarf->tables);
	return slot ? *slot = steal(&table) : NULL;
}

struct dwarf_table *dwarf_table_at(struct dwarf_file *file, uint64_t offset,
				   const char *base)
{
	uint32_t *slot = idmap_add(&file->tables, offset);
	struct dwarf_table *table;

	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return file->dwarf->tables.items[*slot];
	table = read_table(file, offset, base);
	if (table)
		*slot = (uint32_t)(file->dwarf->tables.count - 1);
	return table;
}

struct dwarf_table *dwarf_unit_table(struct dwarf_unit *unit)
{
	struct dwarf_unit *owner = unit->skeleton ? unit->skeleton : unit;

	if (!owner->has_table && owner->has_lines)
		owner->table = dwarf_table_at(
			(struct dwarf_file *)(uintptr_t)owner->encoding.file,
			owner->lines, owner->directory);
	owner->has_table = true;
	return owner->table;
}

/* ---- files by number --------------------------------------------------------------- */

const struct dwarf_path *dwarf_table_path(struct dwarf_table *table, uint64_t number)
{
	struct dwarf_file_entry *entry;
	const char *directory, *base;

	if (number < table->first_file ||
	    number - table->first_file >= table->files.count)
		return NULL;
	entry = &table->files.items[number - table->first_file];
	if (entry->path || !entry->name)
		return entry->path;
	directory = entry->directory < table->directories.count
			    ? table->directories.items[entry->directory]
			    : NULL;
	base = table->directories.count > 0 ? table->directories.items[0] : NULL;
	if (directory == base)
		base = table->base;
	entry->path = dwarf_path(table->encoding.file->dwarf, base, directory,
				 entry->name, entry->md5);
	return entry->path;
}
