/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of numbers in the data of the page: seven bits in each byte, the lowest first,
 * as bytes.js reads them. */
#ifndef ER_HTML_COLUMNS_H
#define ER_HTML_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum column_form {
	COLUMN_PLAIN = 0,
	COLUMN_SIGNED = 1 << 0, /* numbers may be negative */
	COLUMN_DELTA = 1 << 1,	/* each is the difference to the one before */
};

struct column;
struct columns {
	struct {
		struct column *items;
		size_t count, capacity;
	} all;
	bool is_short; /* of memory, so that numbers are missing */
};

/* Begin a column; numbers are then added to the last one. The name must live as long. */
void columns_begin(struct columns *columns, const char *name, unsigned form);
/* Numbers of the last column stand for this many each. */
void columns_set_unit(struct columns *columns, int64_t unit);
void columns_add(struct columns *columns, int64_t number);
/* Write their forms as a JSON array. */
void columns_describe(const struct columns *columns, FILE *out);
/* Give all bytes, in the order of the columns. */
void columns_give(const struct columns *columns,
		  void (*take)(void *context, const void *bytes, size_t length),
		  void *context);
void columns_release(struct columns *columns);

#endif
