/* SPDX-License-Identifier: Apache-2.0 */
/* The signals that are shared with the program, and the dispositions that it has asked
 * for. There is no lock: handlers read them while other threads change them. */
#ifndef COLLECTOR_SIGNALS_SHARED_H
#define COLLECTOR_SIGNALS_SHARED_H

#include <signal.h>
#include <stdbool.h>

/* The number of places. A signal keeps its place; that of one which is no longer shared
 * has the signal 0. */
int shared_count(void);
int shared_signal(int index);
/* Returns -1 if the signal is not shared. */
int shared_index(int signal);
/* Call in one thread at a time. False: the table is full. */
bool shared_add(int signal, const struct sigaction *view);
/* A handler that has found the place already still finds the view. */
void shared_remove(int index);

/* False: the signal is ignored, or has its default action. */
bool shared_is_handler(const struct sigaction *view);
struct sigaction shared_view(int index);
/* Returns the previous view. */
struct sigaction shared_change(int index, const struct sigaction *view);
/* A handler with SA_RESETHAND is called once. Returns true for the first thread that
 * asks; false for the others, and if the view has changed. */
bool shared_take_handler(int index, const struct sigaction *view);

#endif
