/* SPDX-License-Identifier: Apache-2.0 */
/* Separate debug files: where distributions keep the symbols of what they strip. */
#ifndef LIBEXPT_DEBUG_FILE_H
#define LIBEXPT_DEBUG_FILE_H

#include <stdbool.h>

#include "libexpt/elf.h"

/* The debug file of an object recorded under path: by build-id below /usr/lib/debug; by
 * .gnu_debuglink in the object's directory, in its .debug directory, and below /usr/lib/debug.
 * Taken only if its build-id is the object's or, where there is none, its checksum the link's. */
bool debug_file_open(struct elf **out, const struct elf *object, const char *path);

#endif
