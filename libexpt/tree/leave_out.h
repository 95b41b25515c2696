/* SPDX-License-Identifier: Apache-2.0 */
/* Leaving out parts of a tree. */
#ifndef LIBEXPT_TREE_LEAVE_OUT_H
#define LIBEXPT_TREE_LEAVE_OUT_H

#include "libexpt/tree/tree.h"

/* Remove each entry i with is_left_out[i] and everything below it, and mark that, too.
 * Returns 0 or -ENOMEM. */
int tree_leave_out(struct tree *tree, bool *is_left_out);

#endif
