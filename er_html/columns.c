/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/columns.h"

#include <inttypes.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/cli/write.h"

/* Of a number of 64 bits. */
#define BYTES_MAX 10

struct column {
	const char *name;
	unsigned form;
	size_t count;
	int64_t unit;
	uint64_t last, largest; /* largest: without its sign */
	uint8_t *bytes;
	size_t length, room;
};

void columns_begin(struct columns *columns, const char *name, unsigned form)
{
	struct column *column = array_add(&columns->all);

	if (column)
		*column = (struct column){ .name = name, .form = form, .unit = 1 };
	else
		columns->is_short = true;
}

void columns_set_unit(struct columns *columns, int64_t unit)
{
	if (!columns->is_short)
		columns->all.items[columns->all.count - 1].unit = unit;
}

static bool make_room(struct column *column)
{
	size_t room = 2 * column->room + 4096;
	uint8_t *bytes;

	if (column->room - column->length >= BYTES_MAX)
		return true;
	bytes = realloc(column->bytes, room);
	if (!bytes)
		return false;
	column->bytes = bytes;
	column->room = room;
	return true;
}

/* Small numbers of either sign are small without one. */
static uint64_t without_sign(int64_t number)
{
	return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}

static void note_size(struct column *column, int64_t number)
{
	uint64_t size = number < 0 ? -(uint64_t)number : (uint64_t)number;

	if (size > column->largest)
		column->largest = size;
}

void columns_add(struct columns *columns, int64_t number)
{
	struct column *column;
	uint64_t rest = (uint64_t)number;

	if (columns->is_short)
		return;
	column = &columns->all.items[columns->all.count - 1];
	if (!make_room(column)) {
		columns->is_short = true;
		return;
	}
	note_size(column, number);
	if ((column->form & COLUMN_DELTA) != 0) {
		rest -= column->last;
		column->last = (uint64_t)number;
	}
	if ((column->form & COLUMN_SIGNED) != 0)
		rest = without_sign((int64_t)rest);
	for (; rest >= 128; rest >>= 7)
		column->bytes[column->length++] = (uint8_t)(rest | 128);
	column->bytes[column->length++] = (uint8_t)rest;
	column->count++;
}

static void describe_form(const struct column *column, FILE *out)
{
	static const struct {
		enum column_form form;
		const char *name;
	} names[] = { { COLUMN_SIGNED, "signed" }, { COLUMN_DELTA, "delta" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if ((column->form & names[i].form) != 0)
			fprintf(out, ",\"%s\":true", names[i].name);
}

void columns_describe(const struct columns *columns, FILE *out)
{
	putc('[', out);
	for (size_t i = 0; i < columns->all.count; i++) {
		const struct column *column = &columns->all.items[i];

		fputs(i == 0 ? "{\"name\":" : ",{\"name\":", out);
		write_json_text(out, column->name);
		fprintf(out,
			",\"count\":%zu,\"bytes\":%zu,\"largest\":%" PRIu64
			",\"unit\":%" PRId64,
			column->count, column->length, column->largest, column->unit);
		describe_form(column, out);
		putc('}', out);
	}
	putc(']', out);
}

void columns_give(const struct columns *columns,
		  void (*take)(void *context, const void *bytes, size_t length),
		  void *context)
{
	for (size_t i = 0; i < columns->all.count; i++)
		take(context, columns->all.items[i].bytes, columns->all.items[i].length);
}

void columns_release(struct columns *columns)
{
	for (size_t i = 0; i < columns->all.count; i++)
		free(columns->all.items[i].bytes);
	array_release(&columns->all);
}
