/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware counters. */
#ifndef ER_PRINT_COUNTERS_H
#define ER_PRINT_COUNTERS_H

#include "er_print/metrics.h"

/* Its metrics are those that the experiments of the session declare. */
extern struct data_kind counters_kind;
void counters_find(const struct session *session);

#endif
