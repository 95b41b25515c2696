/* SPDX-License-Identifier: Apache-2.0 */
/* A view; its functions are in expt.h. */
#ifndef LIBEXPT_EVENTS_VIEW_H
#define LIBEXPT_EVENTS_VIEW_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/events/kind.h"
#include "libexpt/expt.h"

struct accesses;
struct evaluation;
struct stack_sums;

struct view_member {
	struct expt *expt;
	char *name;
	size_t founder;
	size_t group;  /* of a comparison */
	size_t damage; /* number of places that are problems already */
};

/* A kind of data as this view uses it. */
struct kind_use {
	const struct data_kind *kind;
	const struct metric_form *forms;
	size_t count;	    /* of its metrics */
	size_t base;	    /* the number of the first */
	void *own;	    /* of the kind */
	uint32_t with_data; /* metrics with data objects, by bits */
};

/* A type of index objects. */
struct index_type {
	struct expt_index_type shown;
	struct evaluation *evaluation; /* NULL until the first use */
	struct expt_rows *rows;	       /* NULL until they are asked for */
};

/* Finds the subject of a record: the lock, the file or the data object that it is about.
 */
struct subject_finder {
	/* Set its number, which stays 0 if there is none. false: out of memory. */
	bool (*find)(void *context, uint32_t member, const struct expt_record *record,
		     bool keeps, uint32_t *number);
	void *context;
	/* Records are given in the order of time, also those that the filter drops. */
	bool is_of_all;
};

/* How functions of load objects are shown. */
struct object_modes {
	struct {
		char *name; /* or path; NULL: all */
		enum expt_object_mode mode;
	} * items; /* the last one that concerns an object counts */
	size_t count, capacity;
};

/* Symbols and packages in memory, the first in first out. */
#define RESIDENTS_MAX	      32
#define RESIDENT_PACKAGES_MAX 4
struct residents {
	struct expt *items[RESIDENTS_MAX]; /* founders with symbols in memory */
	size_t count, next;
	struct package *packages[RESIDENT_PACKAGES_MAX]; /* or NULL */
	size_t next_package;
	const struct expt *last; /* founder that was used */
};

struct expt_view {
	struct {
		struct view_member *items;
		size_t count, capacity;
	} members;
	size_t founders;
	enum expt_mode mode;
	struct kind_use uses[KIND_COUNT];
	struct expt_metric metrics[METRICS_MAX];
	size_t metric_count;
	/* Values are kept for the metrics with data only: the place of each metric's
	 * value, or PLACE_NONE, and their number. */
	size_t places[METRICS_MAX], width;
	/* The same for sums of squares, which metrics that are sampled have. */
	size_t square_places[METRICS_MAX], squares_width;
	size_t groups; /* that are compared; 1: none */
	struct {
		struct expt_problem *items;
		size_t count, capacity;
	} problems;
	struct idmap problem_keys; /* a problem is listed once */
	struct arena texts;	   /* of problems and metrics */
	struct stack_sums *sums;   /* NULL until they are asked for */
	struct expt_rows *rows[EXPT_BY_COUNT];
	/* Events that are kept; NULL: all of them */
	struct evaluation *filter, *selections[EXPT_SUBSET_COUNT];
	struct {
		struct index_type *items;
		size_t count, capacity;
	} index_types;
	const volatile int *stop; /* NULL, or the caller's flag */
	bool is_outlined;	  /* see expt_view_set_outlined() */
	struct object_modes object_modes;
	bool is_inlined;     /* see expt_view_set_inlined() */
	bool is_by_thread;   /* sums are apart for threads */
	size_t timed_metric; /* whose events are kept with their times */
	/* By kind of data; NULL: sums are not apart for subjects */
	const struct subject_finder *finders[EXPT_DATA_COUNT];
	struct residents residents;
	struct accesses *accesses; /* NULL until data objects are asked for */
};

/* The times of a descendant begin later than those of its founder. */
static inline uint64_t view_later_ns(const struct expt_view *view, size_t member)
{
	const struct view_member *members = view->members.items;
	uint64_t start = expt_info(members[member].expt)->start_ns;
	uint64_t first = expt_info(members[members[member].founder].expt)->start_ns;

	return start > first ? start - first : 0;
}

/* Check whether the caller wants to stop: long loops end then, as if memory ran out. */
static inline bool view_is_stopped(const struct expt_view *view)
{
	return view->stop && *view->stop;
}

#endif
