/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/dump.h"

#include <string.h>

#include "libexpt/base/escape.h"
#include "libexpt/cli/write.h"

static void put_plain(FILE *out, const char *text)
{
	for (; *text; text++)
		putc_unlocked(*text, out);
}

/* ---- texts ---- */

static void put_quoted(const struct dump *dump, const char *text, size_t length)
{
	putc_unlocked('"', dump->out);
	if (!dump->is_json)
		escape_put(dump->out, text, length, '"');
	else
		write_json(dump->out, text, length);
	putc_unlocked('"', dump->out);
}

/* ---- names ---- */

static void put_key(struct dump *dump, const char *name)
{
	if (!dump->is_first)
		putc_unlocked(',', dump->out);
	dump->is_first = false;
	put_quoted(dump, name, strlen(name));
	putc_unlocked(':', dump->out);
}

static void put_name(struct dump *dump, const char *name)
{
	if (dump->is_json) {
		put_key(dump, name);
		return;
	}
	putc_unlocked(' ', dump->out);
	escape_put(dump->out, name, strlen(name), '"');
	putc_unlocked('=', dump->out);
}

static void put_column(struct dump *dump, const char *name)
{
	if (dump->is_json)
		put_key(dump, name);
	else
		putc_unlocked(' ', dump->out);
}

/* ---- values ---- */

void dump_begin(struct dump *dump, const char *kind)
{
	if (!dump->is_json) {
		put_plain(dump->out, kind);
		return;
	}
	putc_unlocked('{', dump->out);
	dump->is_first = true;
	dump_text(dump, "kind", kind);
}

void dump_end(struct dump *dump)
{
	if (dump->is_json)
		putc_unlocked('}', dump->out);
	putc_unlocked('\n', dump->out);
}

void dump_column(struct dump *dump, const char *name, uint64_t value)
{
	put_column(dump, name);
	write_number(dump->out, value);
}

void dump_column_time(struct dump *dump, const char *name, uint64_t ns)
{
	put_column(dump, name);
	write_fraction(dump->out, ns, 9);
}

void dump_column_none(struct dump *dump, const char *name)
{
	put_column(dump, name);
	put_plain(dump->out, dump->is_json ? "null" : "-");
}

void dump_column_text(struct dump *dump, const char *name, const char *text,
		      size_t length)
{
	put_column(dump, name);
	put_quoted(dump, text, length);
}

void dump_number(struct dump *dump, const char *name, int64_t value)
{
	put_name(dump, name);
	write_signed(dump->out, value);
}

void dump_unsigned(struct dump *dump, const char *name, uint64_t value)
{
	put_name(dump, name);
	write_number(dump->out, value);
}

void dump_hex(struct dump *dump, const char *name, uint64_t value, int digits)
{
	put_name(dump, name);
	if (dump->is_json)
		putc_unlocked('"', dump->out);
	write_hex(dump->out, value, digits);
	if (dump->is_json)
		putc_unlocked('"', dump->out);
}

void dump_seconds(struct dump *dump, const char *name, uint64_t ns)
{
	put_name(dump, name);
	write_fraction(dump->out, ns, 9);
}

void dump_bytes(struct dump *dump, const char *name, const char *text, size_t length)
{
	put_name(dump, name);
	put_quoted(dump, text, length);
}

void dump_text(struct dump *dump, const char *name, const char *text)
{
	dump_bytes(dump, name, text, strlen(text));
}

void dump_open_object(struct dump *dump, const char *name)
{
	if (!dump->is_json)
		return;
	put_key(dump, name);
	putc_unlocked('{', dump->out);
	dump->is_first = true;
}

void dump_close_object(struct dump *dump)
{
	if (dump->is_json)
		putc_unlocked('}', dump->out);
	dump->is_first = false;
}

/* ---- stacks ---- */

void dump_open_stack(struct dump *dump)
{
	if (!dump->is_json)
		return;
	put_key(dump, "stack");
	putc_unlocked('[', dump->out);
	dump->is_first = true;
}

/* Function names contain blanks, so the columns are separated by tabs. */
static void put_frame_line(FILE *out, uint64_t pc, const char *function, uint64_t offset,
			   const char *object)
{
	put_plain(out, "\n\t");
	write_hex(out, pc, 0);
	putc_unlocked('\t', out);
	escape_put(out, function, strlen(function), '"');
	putc_unlocked('+', out);
	write_hex(out, offset, 0);
	if (object) {
		putc_unlocked('\t', out);
		escape_put(out, object, strlen(object), '"');
	}
}

void dump_frame(struct dump *dump, uint64_t pc, const char *function, uint64_t offset,
		const char *object)
{
	if (!dump->is_json) {
		put_frame_line(dump->out, pc, function, offset, object);
		return;
	}
	put_plain(dump->out, dump->is_first ? "{" : ",{");
	dump->is_first = true;
	dump_hex(dump, "pc", pc, 0);
	dump_text(dump, "function", function);
	dump_hex(dump, "offset", offset, 0);
	if (object)
		dump_text(dump, "object", object);
	putc_unlocked('}', dump->out);
}

void dump_close_stack(struct dump *dump, const char *end)
{
	if (dump->is_json)
		putc_unlocked(']', dump->out);
	dump->is_first = false;
	if (end && dump->is_json)
		dump_text(dump, "stack_end", end);
	else if (end)
		fprintf(dump->out, "\n\t%s", end);
}
