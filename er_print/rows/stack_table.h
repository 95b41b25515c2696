/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of call stacks as a table, in forms other than text: the frames of each are in
 * its last column. */
#ifndef ER_PRINT_ROWS_STACK_TABLE_H
#define ER_PRINT_ROWS_STACK_TABLE_H

#include "er_print/table/table.h"

struct stack_column {
	const char *title; /* NULL: the end of the columns */
	enum cell_form form;
	bool is_sorted;
};

/* Add the columns, and that of the frames. false: out of memory. */
bool stack_table_add_columns(struct table *table, const struct stack_column *columns);
/* Add a line: the name, where a column is for it; the values, in the order of the other
 * columns; and the frames, each of which ends with a newline. false: out of memory. */
bool stack_table_add_line(struct table *table, const char *name, const int64_t *values,
			  const struct strbuf *frames);

#endif
