/* SPDX-License-Identifier: Apache-2.0 */
/* Source files by number, and the lines of them that are in the page. */
#ifndef ER_HTML_VIEWS_SOURCE_FILES_H
#define ER_HTML_VIEWS_SOURCE_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "libexpt/base/idmap.h"
#include "libexpt/expt.h"

struct source_file;
struct source_files {
	const struct expt_search *search;
	struct {
		struct source_file *items;
		size_t count, capacity;
	} all;
	struct idmap by_path;
};

/* Return the number of a file, which is added if it is new, or IDMAP_NONE: out of memory.
 * The path must live as long. */
uint32_t source_files_add(struct source_files *files, const char *path);
/* Return the same for a file that was added before; IDMAP_NONE: it was not. */
uint32_t source_files_find(const struct source_files *files, const char *path);
/* Look for the text of a file, once. */
void source_files_open(struct source_files *files, uint32_t file,
		       struct expt_object *object);

/* Return the bytes that lines of a file would add to the page. */
uint64_t source_files_size(const struct source_files *files, uint32_t file,
			   uint32_t first, uint32_t last);
/* Put lines of a file into the page. */
void source_files_show(struct source_files *files, uint32_t file, uint32_t first,
		       uint32_t last);
/* Note that a line has code. */
void source_files_mark(struct source_files *files, uint32_t file, uint32_t line);
/* Check whether a line of a file is in the page. */
bool source_files_shows(const struct source_files *files, uint32_t file, uint32_t line);

/* Write all of them as a JSON array. */
void source_files_write(const struct source_files *files, FILE *out);
void source_files_release(struct source_files *files);

#endif
