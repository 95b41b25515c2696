/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that records itself as if a debugger had brought the collector: it opens the
 * libraries, fills the buffer with settings, and calls the entry points. The settings are
 * in the environment, with LATE_ before their names.
 */
#ifndef TESTS_LATE_H
#define TESTS_LATE_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static inline void late_fail(const char *what)
{
	fprintf(stderr, "late: %s\n", what);
	_exit(97);
}

static inline void *late_open_libraries(void)
{
	char names[4096], *rest = NULL;
	void *first = NULL;

	snprintf(names, sizeof(names), "%s", getenv("LATE_SP_COLLECTOR_PRELOAD"));
	for (char *name = strtok_r(names, " ", &rest); name;
	     name = strtok_r(NULL, " ", &rest)) {
		void *library = dlopen(name, RTLD_NOW | RTLD_GLOBAL);

		if (!library)
			late_fail(dlerror());
		first = first ? first : library;
	}
	return first;
}

/* Returns the handle of libcollector.so. */
static inline void *late_begin(void)
{
	void *collector = late_open_libraries();
	char *buffer = dlsym(collector, "__collector_buffer");
	int (*start)(void) = (int (*)(void))dlsym(collector, "__collector_start");
	size_t used = 0;

	if (!buffer || !start)
		late_fail(dlerror());
	for (char **entry = environ; *entry; entry++)
		if (strncmp(*entry, "LATE_", strlen("LATE_")) == 0)
			used += (size_t)sprintf(buffer + used, "%s",
						*entry + strlen("LATE_")) +
				1;
	buffer[used] = '\0';
	if (start() != 0)
		late_fail(buffer);
	return collector;
}

static inline void late_end(void *collector)
{
	((void (*)(void))dlsym(collector, "__collector_terminate_expt"))();
}

#endif
