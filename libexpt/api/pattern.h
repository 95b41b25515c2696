/* SPDX-License-Identifier: Apache-2.0 */
/* Regular expressions that users write. */
/* clang-format off */
#ifndef LIBEXPT_API_PATTERN_H
#define LIBEXPT_API_PATTERN_H

#include <stdbool.h>

#include "libexpt/api/operation.h"

EXPT_DECLARATIONS_BEGIN

/* An extended regular expression. Several threads may use it. */
struct expt_pattern;

/* -EINVAL: it is not one, or regcomp(3) would take too much time and memory for it. */
int expt_pattern_open(struct expt_pattern **out, const char *text,
		      struct expt_error *err);
void expt_pattern_close(struct expt_pattern *pattern);
/* Whether it matches a part of the text. */
bool expt_pattern_matches(const struct expt_pattern *pattern, const char *text);

EXPT_DECLARATIONS_END

#endif
