/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_HEAP_FIND_H
#define COLLECTOR_HEAP_FIND_H

#include "collector/base/interpose.h"

/* Returns the real function; NULL: this thread is searching for it already, or there is
 * none. */
void *heap_find(struct real *real);

#endif
