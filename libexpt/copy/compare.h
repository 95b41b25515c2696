/* SPDX-License-Identifier: Apache-2.0 */
/* Whether one tree is the finished copy of another. */
#ifndef LIBEXPT_COPY_COMPARE_H
#define LIBEXPT_COPY_COMPARE_H

#include "libexpt/expt.h"
#include "libexpt/tree/tree.h"

/* 1: the directories hold the same names with the same bytes, modes and times; 0: they do
 * not. */
int tree_compare(int a, int b, struct expt_error *err);
/* Whether two lists are the same, as far as that shows without reading. */
bool tree_has_same_entries(const struct tree *a, const struct tree *b);
/* -EPERM: the directory holds other names than those listed, or their sizes or times are
 * others. */
int tree_check_unchanged(const struct tree *tree, int dir, struct expt_error *err);

#endif
