/* SPDX-License-Identifier: Apache-2.0 */
/* Which descendants are recorded: all, none, or those that match -F =regex. */
#ifndef COLLECTOR_FOLLOW_H
#define COLLECTOR_FOLLOW_H

#include <stdbool.h>

/* By lineage and the name of the executable. In normal code. */
bool follow_matches(const char *lineage, const char *path);

#endif
