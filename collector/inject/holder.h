/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of another process are held by a process of their own, erkit-holder, which is
 * in a process group of its own: a signal that kills collect does not meet it, and it
 * brings the thread back to where it was. What it could not let go is let go by its end.
 */
#ifndef COLLECTOR_INJECT_HOLDER_H
#define COLLECTOR_INJECT_HOLDER_H

struct injection;

/* Let the holder do the work, and wait for it. Its interrupts are ours, see interrupts.h.
 * What the work finds out about the process is in the injection afterwards. Returns the
 * status that the work returns; prints an error if the holder cannot be started or is
 * killed. */
int holder_run(struct injection *injection,
	       int (*work)(struct injection *injection, void *with), void *with);

#endif
