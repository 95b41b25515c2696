/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run-time of the thread sanitizer calls an empty function for each report, which a
 * program can define. Ours must be called without being part of the program, and the
 * run-time may be part of it: so the entry of the empty function is replaced by a jump.
 */
#ifndef COLLECTOR_RACE_HOOK_H
#define COLLECTOR_RACE_HOOK_H

#include <stdbool.h>

/* Returns false if there is something else in its place than an empty function. */
bool hook_replace(void *empty, void (*function)(void *));

#endif
