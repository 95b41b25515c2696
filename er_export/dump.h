/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes records as text, in one of two forms: a line with a kind, columns, and
 * NAME=VALUE; or a JSON object on a line, in which every value has a name. Texts are
 * escaped as in escape.h, or as in JSON, with U+FFFD for every byte that is not UTF-8.
 */
#ifndef ER_EXPORT_DUMP_H
#define ER_EXPORT_DUMP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct dump {
	FILE *out;
	bool is_json;
	bool is_first; /* the next value is the first of its object */
};

void dump_begin(struct dump *dump, const char *kind);
void dump_end(struct dump *dump);

/* Columns, whose names appear only in JSON. */
void dump_column(struct dump *dump, const char *name, uint64_t value);
void dump_column_time(struct dump *dump, const char *name, uint64_t ns); /* in seconds */
void dump_column_none(struct dump *dump, const char *name);
void dump_column_text(struct dump *dump, const char *name, const char *text,
		      size_t length);

void dump_number(struct dump *dump, const char *name, int64_t value);
void dump_unsigned(struct dump *dump, const char *name, uint64_t value);
/* A string in JSON. */
void dump_hex(struct dump *dump, const char *name, uint64_t value, int digits);
void dump_seconds(struct dump *dump, const char *name, uint64_t ns);
void dump_text(struct dump *dump, const char *name, const char *text);
void dump_bytes(struct dump *dump, const char *name, const char *text, size_t length);

/* Begin an object of its own for values whose names come from the experiment. */
void dump_open_object(struct dump *dump, const char *name);
void dump_close_object(struct dump *dump);

/* The stack at the end of a record: a line for each frame, indented by a tab; an array in
 * JSON. */
void dump_open_stack(struct dump *dump);
void dump_frame(struct dump *dump, uint64_t pc, const char *function, uint64_t offset,
		const char *object); /* or NULL */
/* end: how the stack ends if it is incomplete, or NULL */
void dump_close_stack(struct dump *dump, const char *end);

#endif
