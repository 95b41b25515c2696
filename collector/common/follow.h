/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of descendants to record: all, none, or those that match -F =regex. */
#ifndef COLLECTOR_COMMON_FOLLOW_H
#define COLLECTOR_COMMON_FOLLOW_H

#include <stdbool.h>

/* Match the lineage and the name of the executable. Not for handlers. */
bool follow_matches(const char *lineage, const char *path);

#endif
