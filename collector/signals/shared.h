/* SPDX-License-Identifier: Apache-2.0 */
/* The signals that we share with the program, and the dispositions that it has asked for.
 * Without a lock: handlers read them while other threads change them. */
#ifndef COLLECTOR_SIGNALS_SHARED_H
#define COLLECTOR_SIGNALS_SHARED_H

#include <signal.h>
#include <stdbool.h>

int shared_count(void);
int shared_signal(int index);
/* -1: it is not shared. */
int shared_index(int signal);
/* One thread at a time. false: there is no room. */
bool shared_add(int signal, const struct sigaction *view);

struct sigaction shared_view(int index);
/* Returns the former one. */
struct sigaction shared_change(int index, const struct sigaction *view);
/* A handler with SA_RESETHAND is called once, by the thread that asks first: false for
 * the others, and if the view has been changed. */
bool shared_take_handler(int index, const struct sigaction *view);

#endif
