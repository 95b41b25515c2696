/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing: what is allocated and freed. */
#ifndef COLLECTOR_HEAP_H
#define COLLECTOR_HEAP_H

#include "collector/files/source.h"

extern const struct data_source heap_source;

#endif
