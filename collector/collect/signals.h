/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_COLLECT_SIGNALS_H
#define COLLECTOR_COLLECT_SIGNALS_H

#include <stddef.h>

/* Find the signal named by the first length characters of an option's value; otherwise
 * print a message. */
int signal_parse(int *signal, char letter, const char *value, size_t length);

#endif
