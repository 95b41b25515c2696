/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments that are read together, and the metrics of their events. */
/* clang-format off */
#ifndef LIBEXPT_API_VIEW_H
#define LIBEXPT_API_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/log.h"

EXPT_DECLARATIONS_BEGIN

struct expt_view;			/* experiments read together */
struct expt_object;

/* ---- experiments ------------------------------------------------------------------- */

/* A view is empty at first. The data of its experiments are read when they are first
 * asked for; what was read is forgotten when experiments are added or removed. */
int expt_view_new(struct expt_view **out, struct expt_error *err);
void expt_view_free(struct expt_view *view);	/* also closes its experiments */

/* When *stop is not 0, what takes long ends with -EINTR. What was read until then is
 * forgotten. NULL: nothing stops it. */
void expt_view_set_stop(struct expt_view *view, const volatile int *stop);

struct expt_view_options {
	/* NULL, or whether a descendant ("_f1_x1.er") is to be added, too. */
	bool (*wants)(void *context, const char *name);
	void *context;
};

/* Add an open experiment, and after it, if it is a founder, its descendants. The view
 * takes it over, also on failure. options may be NULL. A descendant that cannot be opened
 * is no failure, but a problem; see below. */
int expt_view_add(struct expt_view *view, struct expt *expt,
		  const struct expt_view_options *options, struct expt_error *err);
/* Remove and close the founder i, and its descendants. */
void expt_view_remove(struct expt_view *view, size_t i);

size_t expt_view_count(const struct expt_view *view);
struct expt *expt_view_expt(const struct expt_view *view, size_t i);
/* For users: "test.1.er/_f1.er". */
const char *expt_view_name(const struct expt_view *view, size_t i);
/* The number of its founder, or i where that was not added. */
size_t expt_view_founder(const struct expt_view *view, size_t i);

/* Compare groups of experiments: rows then have figures for each group. At first there
 * is one group, with all of them. */
size_t expt_view_groups(const struct expt_view *view);
void expt_view_set_groups(struct expt_view *view, size_t groups);
void expt_view_set_group(struct expt_view *view, size_t founder, size_t group);
#define EXPT_ALL_GROUPS SIZE_MAX

/* ---- modes ------------------------------------------------------------------------- */

/* How the stacks of Java and OpenMP programs are seen: in the terms of the language; with
 * the native stack where the runtime's state is not known; or as the machine has them. */
enum expt_mode { EXPT_MODE_USER, EXPT_MODE_EXPERT, EXPT_MODE_MACHINE };

enum expt_mode expt_view_mode(const struct expt_view *view);	/* at first, user mode */
void expt_view_set_mode(struct expt_view *view, enum expt_mode mode);

/* How functions of load objects are rows: each by itself; all of an object as one, with
 * its name; or only those through which other objects call it, as the ends of stacks. */
enum expt_object_mode { EXPT_OBJECT_SHOW, EXPT_OBJECT_HIDE, EXPT_OBJECT_API };
/* Set that of the objects of a name or path; NULL: of all. The last setting counts, also
 * for objects that are loaded later. It invalidates all rows. */
int expt_view_set_object(struct expt_view *view, const char *name,
			 enum expt_object_mode mode, struct expt_error *err);
enum expt_object_mode expt_view_object(const struct expt_view *view,
				       const struct expt_object *object);

/* ---- problems ---------------------------------------------------------------------- */

/* Data of the experiments that could not be read, or that are missing. The list grows
 * while data are read. */
struct expt_problem {
	bool is_error;		/* data are lost; else the reader leaves some out */
	const char *text;		/* "test.1.er: profile: ..." */
};
size_t expt_view_problem_count(struct expt_view *view);
const struct expt_problem *expt_view_problem(const struct expt_view *view, size_t i);

/* ---- metrics ----------------------------------------------------------------------- */

enum expt_unit {
	EXPT_UNIT_TIME,			/* nanoseconds */
	EXPT_UNIT_COUNT,		/* events or bytes */
};

struct expt_metric {
	const char *name;		/* in commands: "totalcpu" */
	const char *title;		/* "Total CPU Time" */
	const char *column;		/* short, after a flavor: "Total CPU" */
	enum expt_unit unit;
	enum expt_data data;		/* the events that it counts */
	bool is_offered;		/* some experiment has data for it */
	bool is_sampled;		/* values have an error */
	bool has_data_objects;		/* see expt_view_data_rows() */
};

/* All metrics, those of one kind of data together. */
size_t expt_metric_count(const struct expt_view *view);
const struct expt_metric *expt_metric(const struct expt_view *view, size_t i);
/* The number of an offered metric, or EXPT_METRIC_NONE. Case does not matter. */
#define EXPT_METRIC_NONE SIZE_MAX
size_t expt_metric_find(const struct expt_view *view, const char *name);
/* The number of the first metric of a kind of data, or EXPT_METRIC_NONE. */
size_t expt_metric_first(const struct expt_view *view, enum expt_data data);

EXPT_DECLARATIONS_END

#endif
