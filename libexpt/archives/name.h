/* SPDX-License-Identifier: Apache-2.0 */
/* Names in archives/. The name of a copy is expt_archive_name() of expt.h. */
#ifndef LIBEXPT_ARCHIVES_NAME_H
#define LIBEXPT_ARCHIVES_NAME_H

#include <stddef.h>

#define ARCHIVE_NAME_SIZE 256

/* The name of the description file of the object at path: that of its copy and
 * ".archive"; where this would be too long for a name, of a base cut shorter. Returns the
 * length. */
size_t expt_archive_description_name(char out[ARCHIVE_NAME_SIZE], const char *path);
/* Why the name alone tells that there is nothing at path that can be archived, or NULL. */
const char *archive_name_problem(const char *path);

#endif
