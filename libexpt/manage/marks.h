/* SPDX-License-Identifier: Apache-2.0 */
/* Notes and warnings in a copy. */
#ifndef LIBEXPT_MANAGE_MARKS_H
#define LIBEXPT_MANAGE_MARKS_H

#include "libexpt/manage/operand.h"
#include "libexpt/tree/tree.h"

/* Write into the directory dir, before the tree is copied there: that the copy is a
 * detached descendant, into the notes; that it was cut, into the warnings. If the
 * tree has a file of that name, that is kept instead. */
int copy_mark_detached(const struct operand *operand, const struct tree *tree, int dir,
		       bool syncs, struct expt_error *err);
int copy_mark_cut(const struct tree *tree, int dir, bool syncs, struct expt_error *err);

#endif
