/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks. Readers wait for a writer only. */

#include <pthread.h>

#include "collector/deadlock/wrapper.h"

/* A reader that wants to write waits for itself. A writer is refused. */
#define RWLOCK(name, is_shared, counterpart)                                          \
	ORDER_WRAPPER(int, name, (pthread_rwlock_t * rwlock))                         \
	{                                                                             \
		ORDER_REAL(lock, #name, "GLIBC_2.2.5", int, (pthread_rwlock_t *));    \
		ORDER_ATTEMPT(attempt, counterpart, "GLIBC_2.2.5", int,               \
			      (pthread_rwlock_t *));                                  \
                                                                                      \
		return ORDER_LOCK(rwlock, is_shared, attempt && attempt(rwlock) == 0, \
				  !is_shared, CALL(lock)(rwlock), rc_ == 0);          \
	}

RWLOCK(pthread_rwlock_rdlock, true, "pthread_rwlock_tryrdlock")
RWLOCK(pthread_rwlock_wrlock, false, "pthread_rwlock_trywrlock")
RWLOCK(__pthread_rwlock_rdlock, true, "pthread_rwlock_tryrdlock")
RWLOCK(__pthread_rwlock_wrlock, false, "pthread_rwlock_trywrlock")

#define TRY_RWLOCK(name, is_shared)                                                   \
	ORDER_WRAPPER(int, name, (pthread_rwlock_t * rwlock))                         \
	{                                                                             \
		ORDER_REAL(trylock, #name, "GLIBC_2.2.5", int, (pthread_rwlock_t *)); \
                                                                                      \
		return ORDER_TRY(rwlock, is_shared, CALL(trylock)(rwlock), rc_ == 0); \
	}

TRY_RWLOCK(pthread_rwlock_tryrdlock, true)
TRY_RWLOCK(pthread_rwlock_trywrlock, false)
TRY_RWLOCK(__pthread_rwlock_tryrdlock, true)
TRY_RWLOCK(__pthread_rwlock_trywrlock, false)

#define TIMED_RWLOCK(name, is_shared)                                            \
	ORDER_WRAPPER(int, name,                                                 \
		      (pthread_rwlock_t * rwlock, const struct timespec *limit)) \
	{                                                                        \
		ORDER_REAL(lock, #name, "GLIBC_2.2.5", int,                      \
			   (pthread_rwlock_t *, const struct timespec *));       \
                                                                                 \
		return ORDER_TRY(rwlock, is_shared, CALL(lock)(rwlock, limit),   \
				 rc_ == 0);                                      \
	}

TIMED_RWLOCK(pthread_rwlock_timedrdlock, true)
TIMED_RWLOCK(pthread_rwlock_timedwrlock, false)

#define CLOCK_RWLOCK(name, is_shared)                                                 \
	ORDER_WRAPPER(int, name,                                                      \
		      (pthread_rwlock_t * rwlock, clockid_t clock,                    \
		       const struct timespec *limit))                                 \
	{                                                                             \
		ORDER_REAL(lock, #name, "GLIBC_2.30", int,                            \
			   (pthread_rwlock_t *, clockid_t, const struct timespec *)); \
                                                                                      \
		return ORDER_TRY(rwlock, is_shared, CALL(lock)(rwlock, clock, limit), \
				 rc_ == 0);                                           \
	}

CLOCK_RWLOCK(pthread_rwlock_clockrdlock, true)
CLOCK_RWLOCK(pthread_rwlock_clockwrlock, false)

#define RWLOCK_UNLOCK(name)                                                          \
	ORDER_WRAPPER(int, name, (pthread_rwlock_t * rwlock))                        \
	{                                                                            \
		ORDER_REAL(unlock, #name, "GLIBC_2.2.5", int, (pthread_rwlock_t *)); \
                                                                                     \
		return ORDER_UNLOCK(rwlock, CALL(unlock)(rwlock));                   \
	}

RWLOCK_UNLOCK(pthread_rwlock_unlock)
RWLOCK_UNLOCK(__pthread_rwlock_unlock)

#define RWLOCK_INIT(name)                                                       \
	ORDER_WRAPPER(int, name,                                                \
		      (pthread_rwlock_t * rwlock,                               \
		       const pthread_rwlockattr_t *attributes))                 \
	{                                                                       \
		ORDER_REAL(init, #name, "GLIBC_2.2.5", int,                     \
			   (pthread_rwlock_t *, const pthread_rwlockattr_t *)); \
                                                                                \
		order_forget(rwlock);                                           \
		return CALL(init)(rwlock, attributes);                          \
	}

RWLOCK_INIT(pthread_rwlock_init)
RWLOCK_INIT(__pthread_rwlock_init)

#define RWLOCK_DESTROY(name)                                                          \
	ORDER_WRAPPER(int, name, (pthread_rwlock_t * rwlock))                         \
	{                                                                             \
		ORDER_REAL(destroy, #name, "GLIBC_2.2.5", int, (pthread_rwlock_t *)); \
                                                                                      \
		order_forget(rwlock);                                                 \
		return CALL(destroy)(rwlock);                                         \
	}

RWLOCK_DESTROY(pthread_rwlock_destroy)
RWLOCK_DESTROY(__pthread_rwlock_destroy)
