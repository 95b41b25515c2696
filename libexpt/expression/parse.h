/* SPDX-License-Identifier: Apache-2.0 */
/* From text to nodes. */
#ifndef LIBEXPT_EXPRESSION_PARSE_H
#define LIBEXPT_EXPRESSION_PARSE_H

#include "libexpt/expression/nodes.h"
#include "libexpt/expt.h"

struct expression_definitions;

/* Fill an expression whose text is set. */
int expression_parse_text(struct expression *expression,
			  const struct expression_definitions *definitions,
			  struct expt_error *err);

#endif
