/* SPDX-License-Identifier: Apache-2.0 */
/* The file jclasses: the classes that a Java machine has loaded, and their methods. */
#ifndef COLLECTOR_EXPERIMENT_CLASSES_H
#define COLLECTOR_EXPERIMENT_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#include "libexpt/format.h"

struct classes_method {
	uint64_t id;
	const char *name, *signature;  /* in modified UTF-8, as the machine has them */
	const struct java_line *lines; /* by bytecode index; NULL: unknown */
	size_t line_count;
};

struct classes_class {
	uint64_t time_ns;     /* from when on it exists */
	const char *name;     /* "Lpkg/Name;" */
	const char *source;   /* NULL if unknown */
	const char *location; /* the file it came from; NULL if unknown */
	const struct classes_method *methods;
	size_t count;
};

/* Write a class; the first call makes the file. Call in normal code, when the experiment
 * is there. */
void classes_put(const struct classes_class *class);
/* Returns the bytes of the file in use. */
size_t classes_length(void);
/* Call in a child of fork, and before another recording. */
void classes_forget(void);

#endif
