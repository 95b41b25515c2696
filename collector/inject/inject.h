/* SPDX-License-Identifier: Apache-2.0 */
/* Recording a process that runs already: the library is opened and called in it. */
#ifndef COLLECTOR_INJECT_INJECT_H
#define COLLECTOR_INJECT_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct injection {
	pid_t process;
	int memory;	      /* of the program that it executes now */
	uint64_t open, error; /* addresses of dlopen() and dlerror(), 0: it has none */
	uint64_t open_flags;
	uint64_t library;    /* where libcollector.so begins, 0: it is not there */
	uint64_t stopped_ns; /* for how long a thread did not run */
};

#define INJECTION_INIT       \
	{                    \
		.memory = -1 \
	}

/* All print errors and return a status; SIGCHLD is blocked. libraries: absolute paths,
 * separated by blanks, libcollector.so first. */

/* Look at the process. It is an error if it cannot be recorded, or is already. */
int injection_open(struct injection *injection, pid_t process, const char *libraries);
void injection_close(struct injection *injection);
/* Load the libraries and start the recording with this list of variables. */
int injection_start(struct injection *injection, const char *libraries, const char *list,
		    size_t length);
/* End the recording. */
int injection_end(struct injection *injection);
/* Find the recording of a process that is recorded; false: it is not. */
bool injection_find(struct injection *injection, pid_t process);
/* Whether the process still executes that program, and is recorded. */
bool injection_is_recording(const struct injection *injection);

#endif
