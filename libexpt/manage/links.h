/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The relative links of a common archive, in archives/: whether they still name the same
 * files once the experiment stands elsewhere, and what is done if not. A link that leads
 * to a file of the same checksum is right: somebody has taken the store along.
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

/* Look at the tree's links from the directory dir. -ENOMEM. Dangling ones are left out. */
int links_remember(struct links *links, const struct tree *tree, int dir);

/* Before the experiment dir gets a name in the directory parent: links that will not lead
 * to their files from there become absolute, so that they are right at any moment. */
void links_make_absolute(struct links *links, int dir, int parent);
/* Those are what they were before. */
void links_restore(struct links *links, int dir);
/* In its new place, or one of the same depth: what does not lead to its file is made to,
 * relative again. */
void links_mend(struct links *links, int dir);

/* Look again from the new place, and report what leads elsewhere. */
void links_check(const struct links *links, int dir, struct expt_report *report);
void links_release(struct links *links);

#endif
