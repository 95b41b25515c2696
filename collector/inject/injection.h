/* SPDX-License-Identifier: Apache-2.0 */
/* A process that runs already, and where in it the functions are that recording needs. */
#ifndef COLLECTOR_INJECT_INJECTION_H
#define COLLECTOR_INJECT_INJECTION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "collector/tracee/status.h"

struct injection {
	pid_t process;
	int directory; /* /proc/PID */
	struct process_status status;
	int memory;	      /* of the program that it executes now */
	uint64_t libc;	      /* where the library with these begins */
	uint64_t open, error; /* addresses of dlopen() and dlerror(), 0: it has none */
	uint64_t open_flags;
	uint64_t library;    /* where libcollector.so begins, 0: it is not there */
	uint64_t stopped_ns; /* for how long a thread did not run */
};

#define INJECTION_INIT                        \
	{                                     \
		.directory = -1, .memory = -1 \
	}

/* Look at the process. Prints errors and returns a status: it is an error if the process
 * cannot be recorded, or is already. libraries: see inject.h. */
int injection_open(struct injection *injection, pid_t process, const char *libraries);
void injection_close(struct injection *injection);
/* Find the recording of a process that is recorded; false: it is not. */
bool injection_find(struct injection *injection, pid_t process);
/* Whether the process still executes that program, and is recorded. */
bool injection_is_recording(const struct injection *injection);

/* Check that a thread, which is stopped, belongs to the process and executes the program
 * that was looked at, and take its memory: 0 or a negative errno. */
int injection_take(struct injection *injection, pid_t thread);
/* Returns true if the process has still the rights with which it was looked at: a file
 * with the set-user-ID bit gives it others. */
bool injection_has_same_user(const struct injection *injection);

/* Print why the process cannot be recorded, as a sentence or a negative errno of the
 * functions of this folder. Both return CLI_FAILED. */
int injection_fail(const struct injection *injection, const char *why);
int injection_fail_with(const struct injection *injection, int rc);

#endif
