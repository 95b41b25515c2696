/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics and other columns that tables show, and the sort key of rows. */
#ifndef ER_PRINT_METRIC_LIST_H
#define ER_PRINT_METRIC_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct session;

enum column_kind { COLUMN_METRIC, COLUMN_NAME, COLUMN_SIZE, COLUMN_ADDRESS };

/* A column of the function list, or a sort key. */
struct metric_column {
	enum column_kind kind;
	size_t metric; /* for COLUMN_METRIC */
	char flavor;   /* 'e' exclusive, 'i' inclusive, 'a' attributed */
	bool has_value, has_percent;
};

#define METRIC_COLUMNS_MAX 64

struct metric_list {
	struct metric_column columns[METRIC_COLUMNS_MAX];
	size_t count;
	struct metric_column sort;
	bool is_reversed; /* '-' before the sort key */
};

/* Check whether one of the columns, in any flavor, shows the metric. */
bool metric_is_among(size_t metric, const struct metric_column *columns, size_t count);

/* Set the metrics shown at the start, and by "metrics default". */
void metrics_default(struct session *session);
/* Parse the word of a command; false, with a message printed, if it is wrong. */
bool metrics_choose(struct session *session, const char *spec);
bool metrics_sort(struct session *session, const char *spec);

/* "e.%totalcpu" or "size"; "Exclusive Total CPU Time" or "Size". */
#define METRIC_TEXT_SIZE 128
void metric_column_key(const struct session *session, char out[METRIC_TEXT_SIZE],
		       const struct metric_column *column);
void metric_column_title(const struct session *session, char out[METRIC_TEXT_SIZE],
			 const struct metric_column *column);

void metrics_print(struct session *session); /* the current ones */
void metrics_print_sort(struct session *session);
void metrics_print_available(struct session *session);

#endif
