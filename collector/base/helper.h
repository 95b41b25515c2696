/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes of ours beside the program. A helper is cloned without an exit signal and
 * shares our memory: no wait and no SIGCHLD of the program can meet it. All of this is
 * system calls only.
 */
#ifndef COLLECTOR_BASE_HELPER_H
#define COLLECTOR_BASE_HELPER_H

#include <stddef.h>
#include <sys/types.h>

pid_t helper_clone(char *stack, size_t size, int (*function)(void *), void *data,
		   long flags, int *pidfd);

/* In the helper, which has a copy of the program's dispositions and descriptors. */
void helper_reset_signals(void);
void helper_use_null_device(void);
void helper_close_from(int fd);

#endif
