/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that the caller has stopped. All functions return 0 or a negative errno. */
#ifndef COLLECTOR_TRACEE_REGISTERS_H
#define COLLECTOR_TRACEE_REGISTERS_H

#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

int thread_registers(pid_t thread, struct user_regs_struct *registers);
int thread_set_registers(pid_t thread, const struct user_regs_struct *registers);

/* The signals that it blocks, as bits. */
int thread_mask(pid_t thread, uint64_t *mask);
int thread_set_mask(pid_t thread, uint64_t mask);

#endif
