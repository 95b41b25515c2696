/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and letters that others cannot foresee. Shortly after boot, and where the
 * kernel refuses them, they are only different each time. */
#ifndef LIBEXPT_BASE_RANDOM_H
#define LIBEXPT_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#define RANDOM_LETTERS_MAX 10

uint64_t random_number(void);
/* Returns the next number of a sequence that begins at random; only the first one needs a
 * system call. */
uint64_t random_seed(void);
/* Write up to RANDOM_LETTERS_MAX letters, digits, '-' and '_', for part of a name. */
void random_letters(char *letters, size_t count);

#endif
