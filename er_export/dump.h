/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records as text, in one of two forms: a line with a kind, columns, and NAME=VALUE; or a
 * JSON object on a line, in which every value has a name. Texts are written as escape.h
 * has it, or as JSON does: with U+FFFD for every byte that is no UTF-8.
 */
#ifndef ER_EXPORT_DUMP_H
#define ER_EXPORT_DUMP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct dump {
	FILE *out;
	bool is_json;
	bool is_first; /* of the values of an object */
};

void dump_begin(struct dump *dump, const char *kind);
void dump_end(struct dump *dump);

/* Columns: their names are for JSON only. */
void dump_column(struct dump *dump, const char *name, uint64_t value);
void dump_column_time(struct dump *dump, const char *name, uint64_t ns); /* in seconds */
void dump_column_none(struct dump *dump, const char *name);
void dump_column_text(struct dump *dump, const char *name, const char *text,
		      size_t length);

void dump_number(struct dump *dump, const char *name, int64_t value);
void dump_unsigned(struct dump *dump, const char *name, uint64_t value);
void dump_hex(struct dump *dump, const char *name, uint64_t value,
	      int digits); /* a string in JSON */
void dump_seconds(struct dump *dump, const char *name, uint64_t ns);
void dump_text(struct dump *dump, const char *name, const char *text);
void dump_bytes(struct dump *dump, const char *name, const char *text, size_t length);

/* Values whose names come from the experiment are in an object of their own. */
void dump_open_object(struct dump *dump, const char *name);
void dump_close_object(struct dump *dump);

/* The stack behind a record: lines with a tab in front of each frame, an array in JSON. */
void dump_open_stack(struct dump *dump);
void dump_frame(struct dump *dump, uint64_t pc, const char *function, uint64_t offset,
		const char *object); /* or NULL */
void dump_close_stack(struct dump *dump,
		      const char *end); /* a word for how it ends, or NULL */

#endif
