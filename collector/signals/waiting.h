/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own signals that have come while the program blocks them: they wait here, as we never
 * block them really, and as others would in the kernel. Of those that are hidden; see signals.h.
 */
#ifndef COLLECTOR_WAITING_H
#define COLLECTOR_WAITING_H

#include <signal.h>
#include <stdint.h>

/* In the handler. */
void waiting_put(int signal, const siginfo_t *info);
/* Which wait; takes one of these signals and returns it, or 0. */
uint64_t waiting_set(void);
int waiting_take(uint64_t signals, siginfo_t *info);
/* Those of these that wait come, to the calling thread: it does not block them any more. */
void waiting_send(uint64_t signals);
/* In a child of fork, for which nothing waits. */
void waiting_forget(void);

#endif
