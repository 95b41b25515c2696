/* SPDX-License-Identifier: Apache-2.0 */
/* Checks if one tree is the finished copy of another. */
#ifndef LIBEXPT_COPY_COMPARE_H
#define LIBEXPT_COPY_COMPARE_H

#include "libexpt/expt.h"
#include "libexpt/tree/tree.h"

/* Returns 1 if the directories contain the same names with the same bytes, modes and
 * times, 0 if not. */
int tree_compare(int a, int b, struct expt_error *err);
/* Returns true if two lists are the same, as far as that shows without reading files. */
bool tree_has_same_entries(const struct tree *a, const struct tree *b);
/* Returns -EPERM if the directory contains other names than those listed, or their sizes
 * or times differ. */
int tree_check_unchanged(const struct tree *tree, int dir, struct expt_error *err);

#endif
