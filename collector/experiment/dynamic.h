/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the program makes at run time and describes to the collector: its names in
 * map.xml, and its bytes in dyntext. Call from normal code, except for
 * dynamic_describe(). */
#ifndef COLLECTOR_EXPERIMENT_DYNAMIC_H
#define COLLECTOR_EXPERIMENT_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An entry of a line table, sorted by offset: the code up to the next entry belongs to
 * this line. */
struct dynamic_line {
	uint32_t offset, line;
};

/* Record a function; functions that it overlaps end. name: NULL for the address in
 * hexadecimal. alias, source, lines: NULL if there are none. A warning is logged for
 * arguments that make no sense, and they are ignored. */
void dynamic_load(const char *name, const char *alias, const char *source,
		  uintptr_t address, int size, int line_count,
		  const struct dynamic_line *lines);
/* The same for code into which a Java machine has compiled the method with this id. The
 * lines are bytecode indexes, and are not kept: no other experiment will need them. */
void dynamic_load_method(uint64_t method, uintptr_t address, size_t size,
			 const struct dynamic_line *lines, size_t line_count);
/* End the function that begins at the address; ignored if there is none. */
void dynamic_unload(uintptr_t address);

/* False: this image will never be recorded. Functions that were loaded earlier are
 * remembered. */
void dynamic_start(bool is_wanted);
/* Write the functions that the experiment does not have yet, when its files exist. May
 * run in a handler. */
void dynamic_describe(void);

/* Call around a fork, with signals blocked, so that the child's table is consistent; and
 * in the child, whose experiment has no functions yet. */
void dynamic_before_fork(void);
void dynamic_after_fork(void);
void dynamic_forget(void);

#endif
