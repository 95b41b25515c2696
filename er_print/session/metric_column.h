/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of tables, and the keys that name them: "e.%totalcpu", "size". */
#ifndef ER_PRINT_SESSION_METRIC_COLUMN_H
#define ER_PRINT_SESSION_METRIC_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

struct session;
struct strbuf;

enum column_kind { COLUMN_METRIC, COLUMN_NAME, COLUMN_SIZE, COLUMN_ADDRESS };
#define STATIC_COUNT 3 /* kinds that are not metrics */

/* A column of the function list, or a sort key. */
struct metric_column {
	enum column_kind kind;
	size_t metric; /* for COLUMN_METRIC */
	char flavor;   /* 'e' exclusive, 'i' inclusive, 'a' attributed, 'd' of data */
	bool has_value, has_percent;
	bool is_hidden; /* only while a specification is read */
	size_t group;	/* of a comparison; 0 without one */
};

#define METRIC_COLUMNS_MAX 64

struct metric_list {
	struct metric_column columns[METRIC_COLUMNS_MAX];
	size_t count;
	struct metric_column sort;
	bool is_reversed; /* '-' before the sort key */
	bool is_sorted;	  /* of data objects: the key was chosen, other lists follow it */
};

/* Check whether one of the columns, in any flavor, shows the metric. */
bool metric_is_among(size_t metric, const struct metric_column *columns, size_t count);

/* "e.%totalcpu" or "size"; "Exclusive Total CPU Time" or "Size". */
#define METRIC_TEXT_SIZE 128
void metric_column_key(const struct session *session, char out[METRIC_TEXT_SIZE],
		       const struct metric_column *column);
void metric_column_title(const struct session *session, char out[METRIC_TEXT_SIZE],
			 const struct metric_column *column);

/* Returns the column of the same metric and flavor, or NULL. */
struct metric_column *metric_list_find(struct metric_list *list,
				       const struct metric_column *wanted);
/* Add a column, unless the list has it: if a metric is given twice, the first one
 * counts. */
void metric_list_add(struct metric_list *list, const struct metric_column *column);
/* Add the columns that a key describes: [FLAVORS] VISIBILITY NAME, or only a name, which
 * may be "any" or "all", "hwc" (all counters), "bit" (none). Returns false if there are
 * none. */
bool metric_list_add_key(const struct session *session, struct metric_list *list,
			 const char *key);
/* Append why there are none. */
void metric_explain_key(const struct session *session, struct strbuf *text,
			const char *key);
/* Add a column with all visibilities for each metric that has data, in the flavors that
 * it has, and for the others. */
void metric_list_add_available(const struct session *session, struct metric_list *list,
			       const char *flavors);

#endif
