/* SPDX-License-Identifier: Apache-2.0 */
/* The source files of Java classes. */
#ifndef LIBEXPT_ARCHIVES_CLASS_SOURCE_H
#define LIBEXPT_ARCHIVES_CLASS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/strbuf.h"

/* Add the path of the source below the root of its packages, "pkg/Cell.java". The class
 * is "pkg/Cell$Part"; source is the name that the compiler noted, or "". If it noted
 * none, or what is no name of a file, the name is that of the outermost class. */
void class_source_path(struct strbuf *path, const char *class_name, size_t class_length,
		       const char *source, size_t source_length);

/* Check that a file can be the source at such a path: it does not say that it belongs to
 * another package. Many packages have a Node.java. */
bool class_source_fits(int fd, const char *path);

#endif
