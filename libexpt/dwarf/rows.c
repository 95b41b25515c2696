/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/rows.h"

#include <errno.h>

#include "libexpt/base/array.h"
#include "libexpt/dwarf/lines.h"

/* A range of addresses whose lines are read. */
struct reader {
	struct dwarf_rows *rows;
	uint64_t start, end; /* addresses */
	uint64_t offset;     /* of the start, in the image */
};

/* Add a row for an address, or, if that is before the range, for its start. */
static int add(const struct reader *reader, uint64_t address, struct dwarf_table *table,
	       const struct dwarf_line *line)
{
	struct dwarf_row *row = array_add(reader->rows);

	if (!row)
		return -ENOMEM;
	if (address < reader->start)
		address = reader->start;
	*row = (struct dwarf_row){ .offset = reader->offset + (address - reader->start) };
	if (!line)
		return 0;
	row->path = dwarf_table_path(table, line->file);
	row->line = line->line;
	row->column = line->column;
	row->is_statement = line->is_statement;
	return 0;
}

/* Returns the first line at the address or, without one, the last line before it. */
static size_t find_line(const struct dwarf_line *lines, size_t count, uint64_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && (low == count || lines[low].address > address))
		low--;
	return low;
}

/* Add the lines of a span of a sequence: the one that it begins in, and those after. */
static int add_span(const struct reader *reader, struct dwarf_table *table,
		    const struct span *span)
{
	const struct dwarf_sequence *sequence = &table->sequences.items[span->value];
	const struct dwarf_line *lines = table->lines.items + sequence->first;
	uint64_t low = span->low > reader->start ? span->low : reader->start;
	uint64_t high = span->high < reader->end ? span->high : reader->end;
	int rc = 0;

	for (size_t i = find_line(lines, sequence->count, low);
	     rc == 0 && i < sequence->count && lines[i].address < high; i++)
		rc = add(reader, lines[i].address < low ? low : lines[i].address, table,
			 &lines[i]);
	if (rc == 0 && high < reader->end)
		rc = add(reader, high, table, NULL);
	return rc;
}

static int add_unit(const struct reader *reader, struct dwarf_unit *unit)
{
	struct dwarf_table *table = dwarf_unit_table(unit);
	const struct spans *spans;
	size_t first;
	int rc = 0;

	if (!table)
		return 0;
	rc = dwarf_lines_read(table);
	spans = &table->spans;
	first = spans_count_to(spans, reader->start);
	if (first > 0 && spans->items[first - 1].high > reader->start)
		first--;
	for (size_t i = first; rc == 0 && i < spans->count; i++) {
		if (spans->items[i].low >= reader->end)
			break;
		rc = add_span(reader, table, &spans->items[i]);
	}
	return rc;
}

/* Read the lines of each unit in its part of the range. */
static int add_units(struct dwarf *dwarf, const struct reader *whole)
{
	const struct spans *spans = &dwarf->spans;
	size_t i = spans_count_to(spans, whole->start);
	int rc = 0;

	for (i -= i > 0; rc == 0 && i < spans->count; i++) {
		const struct span *span = &spans->items[i];
		struct reader part = *whole;

		if (span->low >= whole->end)
			break;
		if (span->low > part.start) {
			part.offset += span->low - part.start;
			part.start = span->low;
		}
		if (span->high < part.end)
			part.end = span->high;
		if (part.start < part.end)
			rc = add_unit(&part, dwarf->debug.units.items[span->value]);
	}
	return rc;
}

int dwarf_read_rows(struct dwarf_rows *rows, struct dwarf *dwarf, uint64_t start,
		    uint64_t end)
{
	struct reader reader = { .rows = rows, .offset = start };

	if (end <= start ||
	    !elf_image_address(dwarf->sources.object, start, &reader.start) ||
	    __builtin_add_overflow(reader.start, end - start, &reader.end))
		return 0;
	return add_units(dwarf, &reader);
}
