/* SPDX-License-Identifier: Apache-2.0 */
/* The likeness of words, to guess which one was meant. */
#ifndef ER_PRINT_SESSION_NEAR_H
#define ER_PRINT_SESSION_NEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/strbuf.h"

/* The names that are most like a word that means nothing. */
struct near {
	const char *word;
	struct strbuf names; /* "'functions', 'fsingle'" */
	int distance;	     /* of each of them */
};

/* Consider a name: the word may be a misspelling with one error in three letters, which
 * is a letter to add, remove, replace or exchange with its neighbour. Case is ignored. */
void near_offer(struct near *near, const char *name);
/* Append the question whether one of the names was meant, if there are any. The names are
 * released. */
void near_ask(struct strbuf *text, struct near *near);

#endif
