/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes and spin locks. */

#include <pthread.h>

#include "collector/sync/sync.h"

/* Bits of __kind, which is part of the ABI through static initialisers: robust, priority
 * inheritance or protection. */
#define SPECIAL_KINDS 0x70

/* glibc leaves a robust mutex locked when an attempt finds it not recoverable. Priorities
 * involve the kernel, where a second call would have an effect. */
SYNC_INLINE bool try_mutex(int (*attempt)(pthread_mutex_t *), pthread_mutex_t *mutex)
{
	return attempt && (mutex->__data.__kind & SPECIAL_KINDS) == 0 &&
	       attempt(mutex) == 0;
}

#define MUTEX_ATTEMPT                                                      \
	SYNC_ATTEMPT(attempt, "pthread_mutex_trylock", "GLIBC_2.2.5", int, \
		     (pthread_mutex_t *))

#define MUTEX_LOCK(name)                                                         \
	SYNC_WRAPPER(int, name, (pthread_mutex_t * mutex))                       \
	{                                                                        \
		SYNC_REAL(lock, #name, "GLIBC_2.2.5", int, (pthread_mutex_t *)); \
		MUTEX_ATTEMPT;                                                   \
                                                                                 \
		return SYNC_TRY_OR_WAIT(mutex, try_mutex(attempt, mutex),        \
					SYNC_CALL(lock)(mutex));                 \
	}

MUTEX_LOCK(pthread_mutex_lock)
MUTEX_LOCK(__pthread_mutex_lock)

SYNC_WRAPPER(int, pthread_mutex_timedlock,
	     (pthread_mutex_t * mutex, const struct timespec *limit))
{
	SYNC_REAL(lock, "pthread_mutex_timedlock", "GLIBC_2.2.5", int,
		  (pthread_mutex_t *, const struct timespec *));
	MUTEX_ATTEMPT;

	return SYNC_TRY_OR_WAIT(mutex, try_mutex(attempt, mutex),
				SYNC_CALL(lock)(mutex, limit));
}

SYNC_WRAPPER(int, pthread_mutex_clocklock,
	     (pthread_mutex_t * mutex, clockid_t clock, const struct timespec *limit))
{
	SYNC_REAL(lock, "pthread_mutex_clocklock", "GLIBC_2.30", int,
		  (pthread_mutex_t *, clockid_t, const struct timespec *));
	MUTEX_ATTEMPT;

	return SYNC_TRY_OR_WAIT(mutex, sync_is_clock(clock) && try_mutex(attempt, mutex),
				SYNC_CALL(lock)(mutex, clock, limit));
}

SYNC_WRAPPER(int, pthread_spin_lock, (pthread_spinlock_t * spin))
{
	SYNC_REAL(lock, "pthread_spin_lock", "GLIBC_2.2.5", int, (pthread_spinlock_t *));
	SYNC_ATTEMPT(attempt, "pthread_spin_trylock", "GLIBC_2.2.5", int,
		     (pthread_spinlock_t *));

	return SYNC_TRY_OR_WAIT(spin, attempt && attempt(spin) == 0,
				SYNC_CALL(lock)(spin));
}
