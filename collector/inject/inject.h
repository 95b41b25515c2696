/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording a process that runs already: the library is opened and called in it. All
 * print errors and return a status; interrupts are held, see interrupts.h. libraries:
 * absolute paths, separated by blanks, libcollector.so first.
 */
#ifndef COLLECTOR_INJECT_INJECT_H
#define COLLECTOR_INJECT_INJECT_H

#include <stddef.h>

struct injection;

/* Load the libraries and start the recording with this list of variables, unless the
 * process has another user since it was looked at: it could not write the files. */
int inject_start(struct injection *injection, const char *libraries, const char *list,
		 size_t length);
/* End the recording. */
int inject_end(struct injection *injection);

#endif
