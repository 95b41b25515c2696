/* SPDX-License-Identifier: Apache-2.0 */
/* The program that is run while the kernel is recorded. */
#ifndef COLLECTOR_ER_KERNEL_LOAD_H
#define COLLECTOR_ER_KERNEL_LOAD_H

#include <stdbool.h>
#include <sys/types.h>

#include "collector/er_kernel/plan.h"

struct load {
	pid_t pid;
	int begin, answer; /* ends of pipes */
	bool has_begun, has_ended;
	int status; /* at its end, as a shell reports it */
};

/* Look for the program, as a shell does. Returns CLI_OK and the path, to be freed, or a
 * status, after a message. */
int load_find(char **path, const char *name);
/* Make its process, which waits. Returns 0, or a negative errno. */
int load_prepare(struct load *load, const struct plan *plan);
/* Let the program begin. Returns 0, or a negative errno. */
int load_begin(struct load *load);
/* Has it ended? */
bool load_has_ended(struct load *load);
/* End it if it has not begun. */
void load_release(struct load *load);

#endif
