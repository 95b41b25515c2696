/* SPDX-License-Identifier: Apache-2.0 */
/* Refreshes of the load map when libc loads and unloads objects. */
#ifndef COLLECTOR_EXPERIMENT_LOAD_H
#define COLLECTOR_EXPERIMENT_LOAD_H

/* Record objects that libc loaded for itself and that a walk met. Call at the end of the
 * process, in normal code. */
void loadmap_catch_up(void);
/* Call in a child of fork: unlock the lock that serialises refreshing. */
void loadmap_unlock(void);

#endif
