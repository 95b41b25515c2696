/* SPDX-License-Identifier: Apache-2.0 */
/* Names in archives/. The name of a copy is expt_archive_name() of expt.h. */
#ifndef LIBEXPT_ARCHIVES_NAME_H
#define LIBEXPT_ARCHIVES_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/strbuf.h"

#define ARCHIVE_NAME_SIZE 256

/* Get the name of the description file of the object at path: that of its copy, with a
 * base cut shorter if needed, and ".archive". Returns the length. */
size_t expt_archive_description_name(char out[ARCHIVE_NAME_SIZE], const char *path);
/* Add the path by which archives/ names an object whose path names another version
 * there. */
void archive_version_path(struct strbuf *out, const char *path, const char *build_id,
			  uint64_t size, uint64_t mtime_ns);
/* Returns why the name alone rules out archiving the file at path, or NULL. */
const char *archive_name_problem(const char *path);

#endif
