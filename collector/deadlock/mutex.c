/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes and spin locks. */

#include <errno.h>
#include <pthread.h>

#include "collector/deadlock/wrapper.h"

/* Bits of __kind, which is part of the ABI through static initialisers: robust, priority
 * inheritance or protection; and the type. */
#define SPECIAL_KINDS 0x70
#define TYPE	      3

static inline bool try_mutex(int (*attempt)(pthread_mutex_t *), pthread_mutex_t *mutex)
{
	return attempt && (mutex->__data.__kind & SPECIAL_KINDS) == 0 &&
	       attempt(mutex) == 0;
}

static inline unsigned how_it_waits(const pthread_mutex_t *mutex)
{
	int type = mutex->__data.__kind & TYPE;

	return type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK
		       ? 0
		       : ORDER_MAY_HANG_ALONE;
}

#define HAS_MUTEX (rc_ == 0 || rc_ == EOWNERDEAD)

#define MUTEX_LOCK(name)                                                              \
	ORDER_WRAPPER(int, name, (pthread_mutex_t * mutex))                           \
	{                                                                             \
		ORDER_REAL(lock, #name, "GLIBC_2.2.5", int, (pthread_mutex_t *));     \
		ORDER_ATTEMPT(attempt, "pthread_mutex_trylock", "GLIBC_2.2.5", int,   \
			      (pthread_mutex_t *));                                   \
                                                                                      \
		return ORDER_LOCK(mutex, false, try_mutex(attempt, mutex),            \
				  how_it_waits(mutex), CALL(lock)(mutex), HAS_MUTEX); \
	}

MUTEX_LOCK(pthread_mutex_lock)
MUTEX_LOCK(__pthread_mutex_lock)

#define MUTEX_TRYLOCK(name)                                                          \
	ORDER_WRAPPER(int, name, (pthread_mutex_t * mutex))                          \
	{                                                                            \
		ORDER_REAL(trylock, #name, "GLIBC_2.2.5", int, (pthread_mutex_t *)); \
                                                                                     \
		return ORDER_TRY(mutex, false, CALL(trylock)(mutex), HAS_MUTEX);     \
	}

MUTEX_TRYLOCK(pthread_mutex_trylock)
MUTEX_TRYLOCK(__pthread_mutex_trylock)

ORDER_WRAPPER(int, pthread_mutex_timedlock,
	      (pthread_mutex_t * mutex, const struct timespec *limit))
{
	ORDER_REAL(lock, "pthread_mutex_timedlock", "GLIBC_2.2.5", int,
		   (pthread_mutex_t *, const struct timespec *));

	return ORDER_TRY(mutex, false, CALL(lock)(mutex, limit), HAS_MUTEX);
}

ORDER_WRAPPER(int, pthread_mutex_clocklock,
	      (pthread_mutex_t * mutex, clockid_t clock, const struct timespec *limit))
{
	ORDER_REAL(lock, "pthread_mutex_clocklock", "GLIBC_2.30", int,
		   (pthread_mutex_t *, clockid_t, const struct timespec *));

	return ORDER_TRY(mutex, false, CALL(lock)(mutex, clock, limit), HAS_MUTEX);
}

#define MUTEX_UNLOCK(name)                                                          \
	ORDER_WRAPPER(int, name, (pthread_mutex_t * mutex))                         \
	{                                                                           \
		ORDER_REAL(unlock, #name, "GLIBC_2.2.5", int, (pthread_mutex_t *)); \
                                                                                    \
		return ORDER_UNLOCK(mutex, CALL(unlock)(mutex));                    \
	}

MUTEX_UNLOCK(pthread_mutex_unlock)
MUTEX_UNLOCK(__pthread_mutex_unlock)

#define MUTEX_INIT(name)                                                                \
	ORDER_WRAPPER(int, name,                                                        \
		      (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes)) \
	{                                                                               \
		ORDER_REAL(init, #name, "GLIBC_2.2.5", int,                             \
			   (pthread_mutex_t *, const pthread_mutexattr_t *));           \
                                                                                        \
		order_forget(mutex);                                                    \
		return CALL(init)(mutex, attributes);                                   \
	}

MUTEX_INIT(pthread_mutex_init)
MUTEX_INIT(__pthread_mutex_init)

#define MUTEX_DESTROY(name)                                                          \
	ORDER_WRAPPER(int, name, (pthread_mutex_t * mutex))                          \
	{                                                                            \
		ORDER_REAL(destroy, #name, "GLIBC_2.2.5", int, (pthread_mutex_t *)); \
		int rc = CALL(destroy)(mutex);                                       \
                                                                                     \
		if (rc == 0)                                                         \
			order_forget(mutex);                                         \
		return rc;                                                           \
	}

MUTEX_DESTROY(pthread_mutex_destroy)
MUTEX_DESTROY(__pthread_mutex_destroy)

/* ---- spin locks ---- */

ORDER_WRAPPER(int, pthread_spin_lock, (pthread_spinlock_t * spin))
{
	ORDER_REAL(lock, "pthread_spin_lock", "GLIBC_2.2.5", int, (pthread_spinlock_t *));
	ORDER_ATTEMPT(attempt, "pthread_spin_trylock", "GLIBC_2.2.5", int,
		      (pthread_spinlock_t *));

	return ORDER_LOCK(spin, false, attempt && attempt(spin) == 0,
			  ORDER_MAY_HANG_ALONE | ORDER_SPINS, CALL(lock)(spin), rc_ == 0);
}

ORDER_WRAPPER(int, pthread_spin_trylock, (pthread_spinlock_t * spin))
{
	ORDER_REAL(trylock, "pthread_spin_trylock", "GLIBC_2.2.5", int,
		   (pthread_spinlock_t *));

	return ORDER_TRY(spin, false, CALL(trylock)(spin), rc_ == 0);
}

ORDER_WRAPPER(int, pthread_spin_unlock, (pthread_spinlock_t * spin))
{
	ORDER_REAL(unlock, "pthread_spin_unlock", "GLIBC_2.2.5", int,
		   (pthread_spinlock_t *));

	return ORDER_UNLOCK(spin, CALL(unlock)(spin));
}

ORDER_WRAPPER(int, pthread_spin_destroy, (pthread_spinlock_t * spin))
{
	ORDER_REAL(destroy, "pthread_spin_destroy", "GLIBC_2.2.5", int,
		   (pthread_spinlock_t *));

	order_forget(spin);
	return CALL(destroy)(spin);
}
