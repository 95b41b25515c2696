/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's own hidden signals (see signals.h) that arrive while the program blocks
 * them. They wait here, because the kernel never blocks them; other signals would wait in
 * the kernel.
 */
#ifndef COLLECTOR_SIGNALS_WAITING_H
#define COLLECTOR_SIGNALS_WAITING_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Call in the handler. */
void waiting_put(int signal, const siginfo_t *info);
/* waiting_set() returns the signals that wait. waiting_take() takes one of these signals
 * and returns it, or 0. */
uint64_t waiting_set(void);
int waiting_take(uint64_t signals, siginfo_t *info);
/* Send the waiting ones of these signals to the calling thread, which does not block them
 * any more. */
void waiting_send(uint64_t signals);
/* The same for signals that the thread, which has a record, no longer blocks: they are
 * delivered before this returns. */
void waiting_release(uint64_t signals);
/* The kernel drops a signal that the thread has pending already, from an event. The
 * calling thread, which has a record, has sent itself a shared signal since before:
 * returns whether only the collector's signals were delivered. */
struct deliveries {
	unsigned delivered, taken;
};
struct deliveries waiting_deliveries(void);
bool waiting_was_dropped(struct deliveries before);
/* Discard the pending signals of events among these, all of which the kernel blocks in
 * the calling thread. The program's own stay pending. */
void waiting_drop(uint64_t signals, bool (*is_ours)(const siginfo_t *info));
/* Call in a child of fork, where no signal waits. */
void waiting_forget(void);

#endif
