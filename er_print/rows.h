/* SPDX-License-Identifier: Apache-2.0 */
/* What the function list and the callers-callees lists share: the order of rows, and the
 * columns that the metrics ask for. */
#ifndef ER_PRINT_ROWS_H
#define ER_PRINT_ROWS_H

#include "er_print/aggregate.h"
#include "er_print/table.h"

/* A row with the figures it is shown with, which differ from list to list. */
struct shown_row {
	uint32_t row;
	const char *name;
	int64_t *values; /* as in rows; NULL: the row's own */
	int64_t key;	 /* while sorting */
};

struct row_list {
	struct shown_row *items;
	size_t count, capacity;
};

/* Names live in the arena if they have to be made up. NULL: out of memory. */
struct shown_row *row_list_add(struct session *session, struct row_list *list,
			       uint32_t row, struct arena *names);

/* Sort by the session's sort key, largest first, equal ones by name; <Total> stands
 * first. With '-' before the key all of it is the other way round. */
void row_list_sort(struct session *session, struct row_list *list);

/* Columns of a table, and a line for a row under them; shares are of the total. false:
 * out of memory. */
bool rows_add_columns(struct session *session, struct table *table,
		      const struct metric_column *columns, size_t count);
bool rows_add_line(struct session *session, struct table *table,
		   const struct metric_column *columns, size_t count,
		   const struct shown_row *shown, char mark);

/* "Functions sorted by metric: ..." */
void print_sorted_by(struct session *session);

/* Size and address as tables show them. */
int64_t row_size(const struct row *row);
void row_address(const struct row *row, char *out, size_t size);

#endif
