/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our variables: read at init, taken out of the program's environment, and put back into that of
 * every image it starts.
 */
#ifndef COLLECTOR_ENVIRONMENT_H
#define COLLECTOR_ENVIRONMENT_H

#include <collector/text.h>
#include <stdbool.h>
#include <stddef.h>

/* Read settings and process.lineage. False: we are not asked to record. */
bool environment_read(void);
/* Take out what is ours, in place. */
void environment_hide(void);

#endif
