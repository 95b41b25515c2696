/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds experiments below a directory by their names: never through links, never on
 * another file system, and never inside an entry with the name of an experiment.
 */
#ifndef LIBEXPT_SELECT_WALK_H
#define LIBEXPT_SELECT_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/arena.h"
#include "libexpt/expt.h"

struct find_entry {
	const char *directory; /* below the root; "" for the root itself */
	const char *name;      /* in it */
	bool is_hidden;	       /* a stage or a removal, in progress or abandoned */
};

struct find_result {
	struct find_entry *items;
	size_t count, capacity;
	struct {
		struct expt_selection_problem *items;
		size_t count, capacity;
	} problems;
	struct arena strings;
};

/* Add the entries found below the directory root, which messages call path. Directories
 * that cannot be read are recorded as problems. Fails only if memory runs out. */
int find_experiments(struct find_result *result, int root, const char *path);
int find_add_problem(struct find_result *result, bool is_failure, const char *text);
void find_release(struct find_result *result);

#endif
