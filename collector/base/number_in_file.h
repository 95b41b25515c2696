/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in the kernel's text files. */
#ifndef COLLECTOR_BASE_NUMBER_IN_FILE_H
#define COLLECTOR_BASE_NUMBER_IN_FILE_H

#include <stdint.h>

/* Returns the first number after a word in a small file of /proc or /sys; 0: not
 * there. */
uint64_t number_in_file(const char *path, const char *word);

#endif
