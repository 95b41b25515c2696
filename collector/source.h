/* SPDX-License-Identifier: Apache-2.0 */
/* One kind of data: each has one file and one such table. */
#ifndef COLLECTOR_SOURCE_H
#define COLLECTOR_SOURCE_H

#include <stdbool.h>

struct text;
struct thread;

struct data_source {
	const char *name;
	void (*describe)(struct text *text);  /* its <profile> element, for log.xml */
	bool (*open)(void);		      /* once in the process */
	void (*start)(struct thread *thread); /* in the thread itself */
	void (*stop)(struct thread *thread);  /* in the thread itself, at its end */
	void (*close)(void);		      /* at the end of the process */
	void (*after_fork)(void);	      /* in the child, before start() */
};

#endif
