/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel tells in text. */
#ifndef COLLECTOR_NUMBER_IN_FILE_H
#define COLLECTOR_NUMBER_IN_FILE_H

#include <stdint.h>

/* The first number behind a word of a small file of /proc or /sys; 0: not there. */
uint64_t number_in_file(const char *path, const char *word);

#endif
