/* SPDX-License-Identifier: Apache-2.0 */
/* Frames, call stacks and threads of a view as tables, whose entries name each other by
 * number: for pictures, and for the formats of other programs. */
/* clang-format off */
#ifndef LIBEXPT_API_TABLES_H
#define LIBEXPT_API_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/summaries.h"
#include "libexpt/api/sums.h"

EXPT_DECLARATIONS_BEGIN

#define EXPT_TABLE_NONE UINT32_MAX

/* A function at a place: its own code, or the call of the function inlined there. */
struct expt_table_frame {
	uint32_t function;		/* a row of functions */
	const char *path;		/* NULL: no line is known */
	uint32_t line, column;		/* 0: not known */
};

/* An address, as the code of a load object that is the same in several processes. */
struct expt_table_place {
	uint32_t object;		/* EXPT_TABLE_NONE: the end of a cut stack */
	uint64_t address;		/* in the image of the object */
	/* Innermost inlined function first; the last is the one with the address */
	uint32_t first_frame, frame_count;
};

/* A caller and what it calls, as a tree of all call paths. Node 0 is the empty path, of
 * events without a stack; parents precede their children. */
struct expt_table_node {
	uint32_t parent, place;
};

struct expt_table_thread {
	size_t expt;			/* its experiment */
	uint64_t id, lwp;		/* as in records; lwp: of the first event */
	uint64_t number;		/* counted from 1, as filters name it */
};

/* The subject of events: the lock, the file or the data object that they are about. */
struct expt_table_subject {
	enum expt_data data;		/* EXPT_SYNC, EXPT_IO or EXPT_HWC */
	/* SOBJ of records; for expt_io_file(); a row of expt_view_data_rows() */
	int64_t number;
};

/* The events of a thread on a call path, and of one subject: for expt_tables_value(). */
struct expt_table_stack {
	uint32_t node, thread;
	uint32_t subject;		/* 0: none, or not asked for */
};

/* A single event of the metric whose events are kept. */
struct expt_table_event {
	uint64_t time_ns;		/* of its end, since the start of the founder */
	int64_t value;			/* of the metric whose events are kept */
	uint32_t stack;
};

/* The events of one kind of data, of EXPT_METRIC_EVERY. */
struct expt_table_moment {
	uint64_t time_ns;		/* as above */
	uint32_t stack;
};

struct expt_table_kind {
	const size_t *metrics;		/* that its events count for */
	size_t metric_count;
	/* In the order of the files; an event that a later one changed, such as an
	 * allocation that is freed, has the values it has at the end */
	const struct expt_table_moment *moments;
	const int64_t *values;		/* metric_count of each moment */
	size_t count;
};

struct expt_tables {
	const struct expt_rows *functions;	/* for expt_row(); without values */
	size_t function_count;
	struct expt_object *const *objects;
	size_t object_count;
	const struct expt_table_frame *frames;
	size_t frame_count;
	const struct expt_table_place *places;
	size_t place_count;
	const struct expt_table_node *nodes;
	size_t node_count;
	const struct expt_table_thread *threads;
	size_t thread_count;
	const struct expt_table_stack *stacks;
	size_t stack_count;
	const struct expt_table_event *events;	/* in the order of time */
	size_t event_count;
	const struct expt_table_kind *kinds;
	size_t kind_count;
	/* With EXPT_METRIC_EVERY only; the first is none */
	const struct expt_table_subject *subjects;
	size_t subject_count;
	const struct expt_io_files *files;	/* of one name, one file */
};

/* Make the tables, in the modes of the view and with its filter. The events of one metric
 * are kept with their times, as events; EXPT_METRIC_EVERY: of all metrics, by the kind of
 * data, as kinds, and stacks are apart for subjects; EXPT_METRIC_NONE: of none. Rows of
 * the view that were got before are no longer valid. Sums of the view are apart for
 * threads from then on, which changes the values of no row; make the tables first, so
 * that records are read once. */
#define EXPT_METRIC_EVERY (SIZE_MAX - 1)
int expt_tables_make(const struct expt_tables **out, struct expt_view *view,
		     size_t timed_metric, struct expt_error *err);
void expt_tables_free(const struct expt_tables *tables);
/* In the unit of the metric; 0 if it is not offered. */
int64_t expt_tables_value(const struct expt_tables *tables, size_t stack, size_t metric);

EXPT_DECLARATIONS_END

#endif
