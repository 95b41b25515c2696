/* SPDX-License-Identifier: Apache-2.0 */
/* Paths and names as text: nothing here looks at files. */
#ifndef LIBEXPT_BASE_PATH_H
#define LIBEXPT_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/strbuf.h"

/* How long path is without the slashes behind it; "/" keeps one. */
size_t path_length(const char *path);
/* Where the last component begins in path, and in *length how long it is without slashes
 * behind it: nothing for "/" and "". */
const char *path_last(const char *path, size_t *length);

/* What is behind the last slash, which may be nothing; all where there is no slash. */
const char *path_base(const char *path);

/* directory/name, with one slash between them, in a new string; NULL: out of memory. */
char *path_join(const char *directory, const char *name);

/* Take empty and "." components out of an absolute path, as gprofng's readers do before
 * they look for a file. What leads upwards stays: it may lead through a link. */
void path_clean(char *path);

/* The way from the directory from to to, "../../x", or nothing if they are the same: both
 * absolute, and without links and dots. */
void path_add_way(struct strbuf *way, const char *from, const char *to);

bool text_starts_with(const char *text, const char *prefix);
/* Something, and then the suffix. */
bool text_ends_with(const char *text, const char *suffix);
/* ASCII's: a terminal would do what they say. */
bool text_has_controls(const char *text);

#endif
