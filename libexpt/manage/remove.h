/* SPDX-License-Identifier: Apache-2.0 */
/* Removing for expt_remove() and selections. */
#ifndef LIBEXPT_MANAGE_REMOVE_H
#define LIBEXPT_MANAGE_REMOVE_H

#include <sys/types.h>

#include "libexpt/expt.h"
#include "libexpt/tree/remove.h"
#include "libexpt/tree/tree.h"

/* The identity of an experiment that was examined before. */
struct remove_identity {
	dev_t device;
	ino_t inode;
};

/* One of several experiments that are removed together. */
struct remove_selected {
	struct remove_identity identity;
	struct tree_patience *patience;
};

/* Remove the experiment that has the name in the directory parent; path is for messages.
 * With selected, only that one is removed: -ENOENT if something else has the name now. */
int remove_at(int parent, const char *name, const char *path,
	      const struct remove_selected *selected,
	      const struct expt_remove_options *options, struct expt_error *err);

#endif
