/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own signals that have come while the program blocks them: they wait here,
 * as we never block them really, and as others would in the kernel. Of those that are
 * hidden; see signals.h.
 */
#ifndef COLLECTOR_SIGNALS_WAITING_H
#define COLLECTOR_SIGNALS_WAITING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* In the handler. */
void waiting_put(int signal, const siginfo_t *info);
/* Which wait; takes one of these signals and returns it, or 0. */
uint64_t waiting_set(void);
int waiting_take(uint64_t signals, siginfo_t *info);
/* Those of these that wait come, to the calling thread: it does not block them any more.
 */
void waiting_send(uint64_t signals);
/* The same for signals that the thread, which has a record, blocks no more: they are
 * delivered before this returns. */
void waiting_release(uint64_t signals);
/* The kernel drops a signal that the thread has pending already: one of an event. The
 * calling thread, which has a record, has just sent itself a shared signal: returns
 * whether only the collector's signals were delivered since before. */
struct deliveries {
	unsigned delivered, taken;
};
struct deliveries waiting_deliveries(void);
bool waiting_was_dropped(struct deliveries before);
/* Of these signals, which the calling thread blocks really, those of ours that are
 * pending in the kernel end here; those of the program stay pending. */
void waiting_drop(uint64_t signals, bool (*is_ours)(const siginfo_t *info));
/* In a child of fork, for which nothing waits. */
void waiting_forget(void);

#endif
