/* SPDX-License-Identifier: Apache-2.0 */
/* The lock of everything that threads share here. It is taken for new facts only. */
#ifndef COLLECTOR_DEADLOCK_GUARD_H
#define COLLECTOR_DEADLOCK_GUARD_H

#include <stdbool.h>

/* Returns false if the lock cannot be had: skip the work. The caller is busy, see
 * party.h: a handler that interrupts it does not come here. */
bool guard_take(void);
void guard_drop(void);
/* Call in the child of fork: the holder may not exist there. */
void guard_reset(void);

#endif
