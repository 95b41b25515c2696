/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for dlsym(3) while it searches for the real functions. */
#ifndef COLLECTOR_HEAP_EARLY_H
#define COLLECTOR_HEAP_EARLY_H

#include <stdbool.h>
#include <stddef.h>

void *early_get(size_t size);
bool early_has(const void *block);
size_t early_size(const void *block);

#endif
