/* SPDX-License-Identifier: Apache-2.0 */
/* Perf maps: lines of address and size, in hexadecimal, and name. */
#ifndef LIBEXPT_JIT_PERF_MAP_H
#define LIBEXPT_JIT_PERF_MAP_H

#include "libexpt/jit/codes.h"

/* Returns whether a file that begins like this is a perf map. */
bool perf_map_begins(const char *head, size_t length);
/* Add the codes of the file. Other lines are ignored. 0 or as jit_codes_add(). */
int perf_map_read(struct jit_codes *codes, const char *text, size_t length);

#endif
