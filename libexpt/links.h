/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The relative links of a common archive, in archives/: whether they still name the same files once
 * the experiment stands elsewhere.
 */
#ifndef LIBEXPT_LINKS_H
#define LIBEXPT_LINKS_H

#include <stddef.h>
#include <sys/stat.h>

#include "libexpt/expt.h"
#include "libexpt/tree.h"

/* Links that lead out of the experiment, and the files they name. They live as long as the tree. */
struct links {
	struct link *items;
	size_t count, capacity;
};

/* Look at the tree's links from the directory dir. -ENOMEM. Dangling ones are left out. */
int links_remember(struct links *links, const struct tree *tree, int dir);
/* Look again from the new place, and report what changed. */
void links_check(const struct links *links, int dir, struct expt_report *report);
void links_release(struct links *links);

#endif
