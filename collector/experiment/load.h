/* SPDX-License-Identifier: Apache-2.0 */
/* The load map, refreshed where libc loads and unloads objects. */
#ifndef COLLECTOR_EXPERIMENT_LOAD_H
#define COLLECTOR_EXPERIMENT_LOAD_H

/* At the end of the process, in normal code: record what libc loaded for itself, and a
 * walk met. */
void loadmap_catch_up(void);
/* In a child of fork: unlock what serialises refreshing. */
void loadmap_unlock(void);

#endif
