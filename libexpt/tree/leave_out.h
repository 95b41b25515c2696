/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a tree. */
#ifndef LIBEXPT_TREE_LEAVE_OUT_H
#define LIBEXPT_TREE_LEAVE_OUT_H

#include "libexpt/tree/tree.h"

/* Take out the entries i with is_left_out[i], and all below them, which it marks as well.
 * -ENOMEM. */
int tree_leave_out(struct tree *tree, bool *is_left_out);

#endif
