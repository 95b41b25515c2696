/* SPDX-License-Identifier: Apache-2.0 */
/* The list that -h without a value prints. */
#ifndef COLLECTOR_COLLECT_COUNTER_LIST_H
#define COLLECTOR_COLLECT_COUNTER_LIST_H

#include <stdio.h>

/* What the machine can count: the well-known counters, then those of the processor that
 * libpfm4 knows. */
void counters_list(FILE *to);

#endif
