/* SPDX-License-Identifier: Apache-2.0 */
/* Counters that the kernel itself has names for, which are perf's. */
#ifndef COLLECTOR_COUNTERS_DEVICES_H
#define COLLECTOR_COUNTERS_DEVICES_H

#include <stdio.h>

#include "collector/counters/names.h"

/* Encode "name~attribute=value~...". -ENOENT: there is no such name; -EINVAL: it has no
 * such attribute, or not with this value. */
int counter_devices_encode(struct counter_code *code, const char *name);
/* List those with data addresses. */
void counter_devices_list(FILE *to);

#endif
