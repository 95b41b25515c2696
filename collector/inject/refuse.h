/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that cannot be recorded from outside, and why. */
#ifndef COLLECTOR_INJECT_REFUSE_H
#define COLLECTOR_INJECT_REFUSE_H

#include <stdbool.h>
#include <sys/types.h>

struct process_status;

/* Returns a status, after one sentence if the process cannot be recorded. libraries:
 * absolute paths, separated by blanks. Nothing is done to the process. */
int refuse_process(pid_t process, const struct process_status *status,
		   const char *libraries);
/* Returns a status, after a sentence if the absolute path does not lead to the same file
 * for the process as for us. */
int refuse_unseen(pid_t process, const char *path);
/* Print why the process may not be traced. Returns CLI_FAILED. */
int refuse_untraceable(pid_t process);

#endif
