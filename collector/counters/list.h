/* SPDX-License-Identifier: Apache-2.0 */
/* The list printed by -h without a value. */
#ifndef COLLECTOR_COUNTERS_LIST_H
#define COLLECTOR_COUNTERS_LIST_H

#include <stdio.h>

/* Print the counters of this machine: the well-known ones, then those of the processor
 * that libpfm4 knows. */
void counters_list(FILE *to);

#endif
