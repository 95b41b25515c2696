/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lists of sample_select, thread_select and their kin, as expressions:
 *
 *	[EXPERIMENTS:]NUMBERS[+[EXPERIMENTS:]NUMBERS...]
 *
 * where both are "all", or numbers and ranges with commas between them: "1:1-4+2:5,6".
 */
#ifndef LIBEXPT_EXPRESSION_SELECTION_H
#define LIBEXPT_EXPRESSION_SELECTION_H

#include "libexpt/expression/words.h"
#include "libexpt/expt.h"

struct expression;

/* word: the property that the numbers select. An event without it is not selected: its
 * value is unknown, see expression_evaluate(). -EINVAL: the message begins with the
 * column in the list, from 1 on. The result's text is the list. */
int expression_parse_selection(struct expression **out, enum expression_word word,
			       const char *list, struct expt_error *err);

#endif
