/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks. */

#include <pthread.h>

#include "collector/sync/sync.h"

#define READ_ATTEMPT                                                          \
	SYNC_ATTEMPT(attempt, "pthread_rwlock_tryrdlock", "GLIBC_2.2.5", int, \
		     (pthread_rwlock_t *))
#define WRITE_ATTEMPT                                                         \
	SYNC_ATTEMPT(attempt, "pthread_rwlock_trywrlock", "GLIBC_2.2.5", int, \
		     (pthread_rwlock_t *))

#define RWLOCK(name, make_attempt)                                                \
	SYNC_WRAPPER(int, name, (pthread_rwlock_t * rwlock))                      \
	{                                                                         \
		SYNC_REAL(lock, #name, "GLIBC_2.2.5", int, (pthread_rwlock_t *)); \
		make_attempt;                                                     \
                                                                                  \
		return SYNC_TRY_OR_WAIT(rwlock, attempt && attempt(rwlock) == 0,  \
					SYNC_CALL(lock)(rwlock));                 \
	}

RWLOCK(pthread_rwlock_rdlock, READ_ATTEMPT)
RWLOCK(pthread_rwlock_wrlock, WRITE_ATTEMPT)
RWLOCK(__pthread_rwlock_rdlock, READ_ATTEMPT)
RWLOCK(__pthread_rwlock_wrlock, WRITE_ATTEMPT)

#define TIMED_RWLOCK(name, make_attempt)                                                \
	SYNC_WRAPPER(int, name,                                                         \
		     (pthread_rwlock_t * rwlock, const struct timespec *limit))         \
	{                                                                               \
		SYNC_REAL(lock, #name, "GLIBC_2.2.5", int,                              \
			  (pthread_rwlock_t *, const struct timespec *));               \
		make_attempt;                                                           \
                                                                                        \
		return SYNC_TRY_OR_WAIT(rwlock,                                         \
					attempt &&                                      \
						sync_is_limit(CLOCK_REALTIME, limit) && \
						attempt(rwlock) == 0,                   \
					SYNC_CALL(lock)(rwlock, limit));                \
	}

TIMED_RWLOCK(pthread_rwlock_timedrdlock, READ_ATTEMPT)
TIMED_RWLOCK(pthread_rwlock_timedwrlock, WRITE_ATTEMPT)

#define CLOCK_RWLOCK(name, make_attempt)                                             \
	SYNC_WRAPPER(int, name,                                                      \
		     (pthread_rwlock_t * rwlock, clockid_t clock,                    \
		      const struct timespec *limit))                                 \
	{                                                                            \
		SYNC_REAL(lock, #name, "GLIBC_2.30", int,                            \
			  (pthread_rwlock_t *, clockid_t, const struct timespec *)); \
		make_attempt;                                                        \
                                                                                     \
		return SYNC_TRY_OR_WAIT(rwlock,                                      \
					attempt && sync_is_limit(clock, limit) &&    \
						attempt(rwlock) == 0,                \
					SYNC_CALL(lock)(rwlock, clock, limit));      \
	}

CLOCK_RWLOCK(pthread_rwlock_clockrdlock, READ_ATTEMPT)
CLOCK_RWLOCK(pthread_rwlock_clockwrlock, WRITE_ATTEMPT)
