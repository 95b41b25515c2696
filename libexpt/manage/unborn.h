/* SPDX-License-Identifier: Apache-2.0 */
/* Descendants of a live experiment that have not begun when it is copied. */
#ifndef LIBEXPT_MANAGE_UNBORN_H
#define LIBEXPT_MANAGE_UNBORN_H

#include "libexpt/common/error.h"
#include "libexpt/tree/tree.h"

/* Leave out of the tree each descendant whose log or map is still empty: it begins after
 * the moment of the copy. */
int unborn_leave_out(struct tree *tree, struct expt_error *err);

#endif
