/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of data, and how their records are measured. A kind is one file in kinds/, and
 * one entry of the table in kinds.c there. */
#ifndef LIBEXPT_EVENTS_KIND_H
#define LIBEXPT_EVENTS_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/number.h"
#include "libexpt/expression/words.h"
#include "libexpt/expt.h"

#define KIND_COUNT	 9
#define KIND_METRICS_MAX 16
#define METRICS_MAX	 (KIND_COUNT * KIND_METRICS_MAX)
#define PLACE_NONE	 SIZE_MAX

struct metric_form {
	const char *name, *title, *column;
	enum expt_unit unit;
};

struct event;
struct kind_use;
struct replay;

/* How the current records are measured. */
struct gauge {
	const struct data_kind *kind; /* NULL: records are only counted */
	int64_t scale;		      /* the value of one unit */
	const void *own;	      /* of the kind, for the current member */
	struct {
		/* Within the kind; among kept values, and squares or PLACE_NONE */
		size_t metric, place, square_place;
		uint32_t classes;
	} kept[KIND_METRICS_MAX];
	size_t kept_count;
};

struct data_kind {
	enum expt_data data;
	const struct metric_form *metrics;
	size_t metric_count;
	bool is_sampled; /* a record stands for events that were not recorded */
	/* The records of the clock are measured, where there are data of the kind; its
	 * own are not. */
	bool measures_clock;
	/* For metrics that experiments declare: find them, for the members that the view
	 * has now. false: out of memory. */
	bool (*declare)(struct expt_view *view, struct kind_use *use);
	void (*forget)(void *own);
	/* Check whether a member's data supports a metric of the kind. */
	bool (*offers)(const struct kind_use *use, const struct expt *expt,
		       size_t metric);
	/* NULL, or set the gauge's scale and own for a member. */
	void (*begin)(struct gauge *gauge, const struct kind_use *use,
		      const struct expt *expt);
	/* Find the value of a record, for kinds that are sampled. Returns the class that
	 * it counts in, as a bit; 0: none. */
	uint32_t (*weigh)(const struct expt_record *record, const struct gauge *gauge,
			  int64_t *value);
	/* The classes that each metric counts; NULL: the one of the metric's number. */
	const unsigned *classes;
	/* Add the measures of a record, for other kinds, to the values, one per metric in
	 * their order. */
	void (*measure)(const struct expt_record *record, const struct gauge *gauge,
			int64_t *values);
	/* NULL, or returns the address replacing the leaf of a record's stack; 0:
	 * none. */
	uint64_t (*leaf)(const struct expt_record *record, const struct gauge *gauge);
	bool adds_leaf; /* the address precedes the stack, and replaces nothing */

	/* For records that only make sense together: called in the order of time, instead
	 * of measure(). state is zeroed at the start of each process, summary once;
	 * false: out of memory. */
	bool (*follow)(struct replay *replay, const struct expt_record *record);
	/* NULL, or find the value of a word for a record that has no such field. false:
	 * it is unknown. */
	bool (*find)(struct kind_use *use, const struct event *event,
		     enum expression_word word, int64_t *value);
	/* NULL, or the names of the data objects that find() has numbered so far. */
	size_t (*names)(const struct kind_use *use, const char *const **names);
	/* At the end of a process: also frees what the state holds. */
	bool (*finish)(struct replay *replay);
	void (*release_summary)(void *summary);
	size_t state_size, summary_size;
};

#endif
