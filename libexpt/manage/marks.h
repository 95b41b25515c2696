/* SPDX-License-Identifier: Apache-2.0 */
/* Notes and warnings in a copy. */
#ifndef LIBEXPT_MANAGE_MARKS_H
#define LIBEXPT_MANAGE_MARKS_H

#include "libexpt/manage/operand.h"
#include "libexpt/tree/tree.h"

/* Into the directory dir, before the copy of the tree is made there: that it is a
 * sub-experiment on its own, in the notes; that it was cut, in the warnings. A file of
 * the tree that has the name stays as it is. */
int copy_mark_detached(const struct operand *operand, const struct tree *tree, int dir,
		       bool syncs, struct expt_error *err);
int copy_mark_cut(const struct tree *tree, int dir, bool syncs, struct expt_error *err);

#endif
