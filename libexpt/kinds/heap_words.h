/* SPDX-License-Identifier: Apache-2.0 */
/* Words of expressions about a call of heap tracing that depend on other calls: whether
 * its memory was freed, and how much the process has. */
#ifndef LIBEXPT_KINDS_HEAP_WORDS_H
#define LIBEXPT_KINDS_HEAP_WORDS_H

#include "libexpt/events/facts.h"

/* For struct data_kind. The first use for a member reads its calls. */
bool heap_words_find(struct kind_use *use, const struct event *event,
		     enum expression_word word, int64_t *value);
void heap_words_free(void *own);

#endif
