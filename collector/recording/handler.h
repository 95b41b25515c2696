/* SPDX-License-Identifier: Apache-2.0 */
/* The handler of the signals that are shared with the program. */
#ifndef COLLECTOR_RECORDING_HANDLER_H
#define COLLECTOR_RECORDING_HANDLER_H

#include <signal.h>

/* For signals_open(). */
void handle_signal(int signal, siginfo_t *info, void *context);

#endif
