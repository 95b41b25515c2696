/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and columns shared by the function list and the callers-callees lists. */
#ifndef ER_PRINT_ROWS_ROWS_H
#define ER_PRINT_ROWS_ROWS_H

#include "er_print/rows/shown_columns.h"
#include "er_print/session/session.h"
#include "er_print/table/table.h"
#include "libexpt/base/arena.h"

/* A row with the figures shown for it, which differ from list to list. */
struct shown_row {
	uint32_t row;
	const char *name;
	const struct expt_neighbour *neighbour; /* NULL: the row's own figures */
	uint32_t node;				/* in the list's tree, if it has one */
	char flavor;				/* instead of the column's, unless 0 */
	int64_t key;				/* while sorting */
};

struct row_list {
	struct expt_rows *rows;
	const struct expt_tree *tree; /* or NULL */
	struct shown_row *items;
	size_t count, capacity;
};

/* Add a row. A name that had to be composed lives in the arena. NULL: out of memory. */
struct shown_row *row_list_add(struct session *session, struct row_list *list,
			       uint32_t row, struct arena *names);

/* List all rows that count, sorted. -1: out of memory, reported. */
int row_list_all(struct session *session, struct row_list *list, enum expt_by by,
		 struct arena *names);
/* Sort by the session's sort key, largest first, equal ones by name; <Total> comes first.
 * '-' before the key reverses all of this. */
void row_list_sort(struct session *session, struct row_list *list);

/* Add the columns, or a line for a row; shares are of the total. false: out of memory. */
bool rows_add_columns(struct session *session, struct table *table,
		      const struct expt_rows *rows, const struct metric_column *columns,
		      size_t count);
bool rows_add_line(const struct row_list *list, struct table *table,
		   const struct metric_column *columns, size_t count,
		   const struct shown_row *shown, char mark);

/* Returns the word for them in titles: "Functions". */
const char *rows_title(enum expt_by by);
/* Print "Functions sorted by metric: ...". */
void rows_print_sorted_by(struct session *session, enum expt_by by);
/* Print all rows of one list, or of the view, as a table. -1: failed, reported. */
int rows_print(struct session *session, struct expt_rows *rows, enum expt_by by);
int rows_print_all(struct session *session, enum expt_by by);

/* Size and address as shown in tables. */
int64_t row_size(const struct expt_row *row);
void row_address(const struct expt_row *row, char *out, size_t size);

#endif
