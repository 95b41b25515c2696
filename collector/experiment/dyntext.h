/* SPDX-License-Identifier: Apache-2.0 */
/* The file dyntext: code, lines and source of functions made at run time. */
#ifndef COLLECTOR_EXPERIMENT_DYNTEXT_H
#define COLLECTOR_EXPERIMENT_DYNTEXT_H

#include "collector/experiment/dynamic.h"

struct dynamic_function {
	const char *name, *source; /* source: NULL if unknown */
	uint64_t method;	   /* the id of a compiled Java method; 0: none */
	uintptr_t address;
	size_t size;
	const struct dynamic_line *lines; /* NULL: none */
	size_t line_count;
};

/* Append a function; the first call makes the file. time: since the start of the
 * experiment, as in map.xml. One thread at a time. */
void dyntext_put(const struct dynamic_function *function, uint64_t time);
/* Call in a child of fork. */
void dyntext_forget(void);

#endif
