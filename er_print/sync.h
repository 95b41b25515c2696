/* SPDX-License-Identifier: Apache-2.0 */
/* Synchronization tracing. */
#ifndef ER_PRINT_SYNC_H
#define ER_PRINT_SYNC_H

#include "er_print/metrics.h"

extern const struct data_kind sync_kind;

#endif
