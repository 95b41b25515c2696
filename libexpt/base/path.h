/* SPDX-License-Identifier: Apache-2.0 */
/* Paths and names as text: no file is looked at. */
#ifndef LIBEXPT_BASE_PATH_H
#define LIBEXPT_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/strbuf.h"

/* Returns the length of path without trailing slashes; "/" keeps one. */
size_t path_length(const char *path);
/* Returns the last component of path, and in *length its length without trailing slashes:
 * 0 for "/" and "". */
const char *path_last(const char *path, size_t *length);

/* Returns the text after the last slash, possibly empty; path itself if it has no
 * slash. */
const char *path_base(const char *path);

/* Returns directory/name, with one slash between them, as a new string; NULL: out of
 * memory. */
char *path_join(const char *directory, const char *name);

/* Take empty and "." components out of an absolute path, as gprofng's readers do before
 * they look for a file. ".." stays: the component before it may be a link. */
void path_clean(char *path);

/* Append the relative path of to as seen from the directory from, "../../x"; nothing if
 * they are the same. Both must be absolute, without links and dots. */
void path_add_way(struct strbuf *way, const char *from, const char *to);

static inline bool path_is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

bool text_starts_with(const char *text, const char *prefix);
/* Whether text is longer than the suffix and ends with it. */
bool text_ends_with(const char *text, const char *suffix);
/* Whether text has ASCII control characters, which a terminal would obey. */
bool text_has_controls(const char *text);

#endif
