/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of dynamic functions, from the file dyntext. */
#ifndef LIBEXPT_OBJECTS_LINED_CODE_H
#define LIBEXPT_OBJECTS_LINED_CODE_H

#include "libexpt/experiment/map.h"

struct dynamic_line {
	uint32_t offset, line; /* valid up to the next offset */
};

struct dynamic_lines {
	uint64_t time_ns, address;
	const char *source;	    /* or NULL */
	struct dynamic_line *lines; /* ascending */
	size_t line_count;
};

struct lined_code {
	struct {
		struct dynamic_lines *items; /* by address */
		size_t count, capacity;
	} functions;
};

/* Read the file, if there is one; strings and lines are allocated in the arena. 0 or a
 * negative errno; a damaged file ends early. */
int lined_code_read(struct lined_code *code, const struct folder *folder,
		    struct arena *arena);
/* Like lined_code_read(), from memory. */
int lined_code_parse(struct lined_code *code, const unsigned char *bytes, size_t size,
		     struct arena *arena);
void lined_code_release(struct lined_code *code);
/* Returns what is known of a function of the map, or NULL. */
const struct dynamic_lines *lined_code_find(const struct lined_code *code,
					    const struct map_function *function);
/* Returns how many of the lines begin at the offset or before it. */
size_t lined_code_count_to(const struct dynamic_line *lines, size_t count,
			   uint64_t offset);

#endif
