/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the program makes at run time and tells us of: its names in map.xml, and what
 * it is in dyntext. Normal code, but for dynamic_describe(). */
#ifndef COLLECTOR_EXPERIMENT_DYNAMIC_H
#define COLLECTOR_EXPERIMENT_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In a table of lines, by offset: up to the next one the code is of this line. */
struct dynamic_line {
	uint32_t offset, line;
};

/* name: NULL for the address in hexadecimal; alias, source, lines: NULL if there are
 * none. What it covers ends. What makes no sense is ignored with a warning in the log. */
void dynamic_load(const char *name, const char *alias, const char *source,
		  uintptr_t address, int size, int line_count,
		  const struct dynamic_line *lines);
/* Of what begins there; ignored if nothing does. */
void dynamic_unload(uintptr_t address);

/* The image is recorded, or may become so; false: never. What is loaded before is
 * remembered. */
void dynamic_start(bool is_wanted);
/* Write what the experiment does not have yet: when its files are there. Perhaps in a
 * handler. */
void dynamic_describe(void);

/* Around a fork, with signals blocked, so that the child has a table that is whole; and
 * in the child, whose experiment knows nothing yet. */
void dynamic_before_fork(void);
void dynamic_after_fork(void);
void dynamic_forget(void);

#endif
