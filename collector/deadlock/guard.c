/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/deadlock/guard.h"

#include <stdatomic.h>

#include "collector/base/system.h"

#define SPINS	  100
#define TRIES_MAX 100000

static _Atomic int is_held;

bool guard_take(void)
{
	for (int tries = 0; tries < TRIES_MAX; tries++) {
		if (!atomic_load_explicit(&is_held, memory_order_relaxed) &&
		    !atomic_exchange_explicit(&is_held, 1, memory_order_acquire))
			return true;
		if (tries < SPINS)
			__builtin_ia32_pause();
		else
			sys_yield();
	}
	return false;
}

void guard_drop(void)
{
	atomic_store_explicit(&is_held, 0, memory_order_release);
}

void guard_reset(void)
{
	atomic_store(&is_held, 0);
}
