/* SPDX-License-Identifier: Apache-2.0 */
/* Guards around our work in normal code: locks, and signals blocked until it is done. */

#include "collector/process/guard.h"

#include "collector/base/system.h"
#include "collector/process/own_time.h"

__thread struct thread *thread_self;

/* ---- locks ---- */

bool spin_lock(struct spin *spin)
{
	for (int tries = 0; tries < 10000; tries++) {
		if (atomic_exchange_explicit(&spin->is_held, 1, memory_order_acquire) ==
		    0)
			return true;
		if (!collector_is_frozen())
			sys_yield();
	}
	return false;
}

bool spin_lock_patiently(struct spin *spin)
{
	for (int tries = 0; tries < 1000; tries++)
		if (spin_lock(spin))
			return true;
	return false;
}

void spin_unlock(struct spin *spin)
{
	atomic_store_explicit(&spin->is_held, 0, memory_order_release);
}

/* ---- signals ---- */

/* Set in a returned mask if signals were blocked, and if the collector's own time begins
 * here. These signals cannot be blocked, so no real mask has their bits. */
#define HAS_ENTERED SIGNAL_BIT(SIGKILL)
#define HAS_BEGUN   SIGNAL_BIT(SIGSTOP)

static _Atomic bool is_frozen;
static _Atomic uint64_t kept_open; /* signals that are never blocked */
static _Atomic int inside;	   /* threads between enter and leave */
static _Atomic bool is_sealed;	   /* the threads inside can no longer leave */
#define SEAL_TRIES 1000

static uint64_t block_signals(void)
{
	uint64_t everything = ~UINT64_C(0), mask = 0;

	/* A store into a file of the experiment may raise one of these. It is absorbed
	 * only where it is not blocked. */
	if (thread_self)
		everything &= ~atomic_load(&kept_open);
	sys_sigmask(SIG_SETMASK, &everything, &mask);
	return mask;
}

void guard_keep_open(uint64_t signals)
{
	atomic_store(&kept_open, signals);
}

bool collector_is_frozen(void)
{
	return atomic_load(&is_frozen);
}

/* The count changes only while signals are blocked, so no handler can jump away in
 * between. */
uint64_t collector_enter(void)
{
	uint64_t mask;

	if (collector_is_frozen())
		return 0;
	mask = block_signals();
	atomic_fetch_add(&inside, 1);
	if (!collector_is_frozen())
		return mask | HAS_ENTERED | (own_time_begin() ? HAS_BEGUN : 0);
	atomic_fetch_sub(&inside, 1);
	sys_sigmask(SIG_SETMASK, &mask, NULL);
	return 0;
}

void collector_enter_again(void)
{
	if (!collector_is_frozen())
		block_signals();
}

void collector_leave(uint64_t mask)
{
	if (!(mask & HAS_ENTERED) || atomic_load(&is_sealed))
		return;
	if (mask & HAS_BEGUN)
		own_time_end();
	atomic_fetch_sub(&inside, 1);
	sys_sigmask(SIG_SETMASK, &mask, NULL);
}

/* Threads inside collector_enter() get the time to restore their signals. */
void collector_freeze(void)
{
	if (atomic_exchange(&is_frozen, true))
		return;
	for (int tries = 0; atomic_load(&inside) > 0 && tries < SEAL_TRIES; tries++)
		sys_sleep(1000000);
	atomic_store(&is_sealed, true);
}

bool collector_is_outside(void)
{
	return atomic_load(&inside) == 0;
}

void collector_enter_after_fork(uint64_t mask)
{
	own_time_forget();
	atomic_store(&inside, (mask & HAS_ENTERED) != 0);
}
