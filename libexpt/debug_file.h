/* SPDX-License-Identifier: Apache-2.0 */
/* Separate debug files: where distributions keep the symbols of what they strip. */
#ifndef LIBEXPT_DEBUG_FILE_H
#define LIBEXPT_DEBUG_FILE_H

#include <stdbool.h>

#include "libexpt/elf.h"

enum debug_place { DEBUG_NOWHERE, DEBUG_BESIDE, DEBUG_ELSEWHERE };

/* The debug file of an object recorded under path: by .gnu_debuglink in the object's directory
 * (beside); by build-id below /usr/lib/debug, or by the link in the .debug directory or below
 * /usr/lib/debug (elsewhere). Taken only if its build-id is the object's or, where there is none,
 * its checksum the link's. */
enum debug_place debug_file_open(struct elf **out, const struct elf *object,
				 const char *path);

#endif
