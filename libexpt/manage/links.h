/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Corrects relative links into a store, in archives/, if they do not lead to
 * the same files from the new place of the experiment. A link that leads to a file of
 * the same checksum is correct: the store was moved as well.
 */
#ifndef LIBEXPT_MANAGE_LINKS_H
#define LIBEXPT_MANAGE_LINKS_H

#include <stddef.h>
#include <sys/stat.h>

#include "libexpt/base/arena.h"
#include "libexpt/expt.h"
#include "libexpt/tree/tree.h"

/* Links that lead out of the experiment, and the files they name. They live as long as
 * the tree. */
struct links {
	struct link *items;
	size_t count, capacity;
	struct arena strings;
};

/* Remember the links of the tree, as seen from the directory dir, but not dangling ones.
 * Returns 0 or -ENOMEM. */
int links_remember(struct links *links, const struct tree *tree, int dir);

/* Make links absolute that will not lead to their files from the directory parent.
 * Called before the experiment dir gets a name there, so that links are correct at
 * any moment. */
void links_make_absolute(struct links *links, int dir, int parent);
/* Restore the links that links_make_absolute() changed. */
void links_restore(struct links *links, int dir);
/* Correct links that do not lead to their files from the new place, or one of the same
 * depth: they are relative again. */
void links_repair(struct links *links, int dir);

/* Check the links from the new place, and report those that lead elsewhere. */
void links_check(const struct links *links, int dir, struct expt_report *report);
void links_release(struct links *links);

#endif
