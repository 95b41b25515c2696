/* SPDX-License-Identifier: Apache-2.0 */
/* Words that can be completed at the prompt: a list, and the type of its makers. */
#ifndef ER_PRINT_COMMAND_COMPLETIONS_H
#define ER_PRINT_COMMAND_COMPLETIONS_H

#include <stdbool.h>
#include <stddef.h>

struct session;

struct completions {
	char **items; /* whole words */
	size_t count, capacity;
	bool is_open; /* more can follow in the same word: append no blank */
};

/* Add the words that begin with the prefix. */
typedef void completer(struct session *session, struct completions *found,
		       const char *prefix);

/* Add a word after the first head characters of the prefix, if it begins with the rest of
 * the prefix. */
void completions_add(struct completions *found, const char *prefix, size_t head,
		     const char *word);
/* Sort, and remove duplicates. */
void completions_sort(struct completions *found);
/* Returns the length of the beginning that all items share. */
size_t completions_common(const struct completions *found);
void completions_release(struct completions *found);

#endif
