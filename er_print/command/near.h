/* SPDX-License-Identifier: Apache-2.0 */
/* The likeness of words, to guess which one was meant. */
#ifndef ER_PRINT_COMMAND_NEAR_H
#define ER_PRINT_COMMAND_NEAR_H

#include <stdbool.h>

/* Check whether a word could be a misspelling of the name: one error in three letters. */
#define NEAR_LENGTH_MAX 40
bool word_is_near(const char *word, const char *name);
/* Returns the number of letters to add, remove, replace or exchange with their neighbour,
 * case ignored; NEAR_LENGTH_MAX if a word is longer than that. */
int word_distance(const char *word, const char *name);

#endif
