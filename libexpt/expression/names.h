/* SPDX-License-Identifier: Apache-2.0 */
/* The regular expressions of FNAME and DNAME. */
#ifndef LIBEXPT_EXPRESSION_NAMES_H
#define LIBEXPT_EXPRESSION_NAMES_H

#include "libexpt/expression/nodes.h"
#include "libexpt/expt.h"

/* Compile a regular expression, and add it to the names. -EINVAL: it is not one, or could
 * take too much memory or time. */
int expression_names_add(struct expression *expression, bool is_data, const char *text,
			 size_t length, struct expt_error *err);
void expression_names_release(struct expression *expression);

#endif
