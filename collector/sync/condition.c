/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Condition variables; the recorded object is the mutex. glibc has two kinds with
 * separate functions: programs linked before version 2.3.2 keep the old ones.
 */

#include <pthread.h>

#include "collector/sync/sync.h"

#define CONDITION_WAIT(local, at, version)                                  \
	INTERPOSE(int, local, "pthread_cond_wait" at version,               \
		  (pthread_cond_t * condition, pthread_mutex_t * mutex))    \
	{                                                                   \
		SYNC_REAL(wait, "pthread_cond_wait", version, int,          \
			  (pthread_cond_t *, pthread_mutex_t *));           \
                                                                            \
		return SYNC_WAIT(mutex, SYNC_CALL(wait)(condition, mutex)); \
	}

#define CONDITION_TIMEDWAIT(local, at, version)                                    \
	INTERPOSE(int, local, "pthread_cond_timedwait" at version,                 \
		  (pthread_cond_t * condition, pthread_mutex_t * mutex,            \
		   const struct timespec *limit))                                  \
	{                                                                          \
		SYNC_REAL(wait, "pthread_cond_timedwait", version, int,            \
			  (pthread_cond_t *, pthread_mutex_t *,                    \
			   const struct timespec *));                              \
                                                                                   \
		return SYNC_WAIT(mutex, SYNC_CALL(wait)(condition, mutex, limit)); \
	}

CONDITION_WAIT(pthread_cond_wait_of_2_2_5, "@", "GLIBC_2.2.5")
CONDITION_TIMEDWAIT(pthread_cond_timedwait_of_2_2_5, "@", "GLIBC_2.2.5")
CONDITION_WAIT(pthread_cond_wait_of_2_3_2, "@@", "GLIBC_2.3.2")
CONDITION_TIMEDWAIT(pthread_cond_timedwait_of_2_3_2, "@@", "GLIBC_2.3.2")

/* Readers show the shortest of several names at one address. */
__asm__(".set pthread_cond_wait, pthread_cond_wait_of_2_3_2\n"
	".type pthread_cond_wait, @function\n"
	".set pthread_cond_timedwait, pthread_cond_timedwait_of_2_3_2\n"
	".type pthread_cond_timedwait, @function");

SYNC_WRAPPER(int, pthread_cond_clockwait,
	     (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
	      const struct timespec *limit))
{
	SYNC_REAL(wait, "pthread_cond_clockwait", "GLIBC_2.30", int,
		  (pthread_cond_t *, pthread_mutex_t *, clockid_t,
		   const struct timespec *));

	return SYNC_WAIT(mutex, SYNC_CALL(wait)(condition, mutex, clock, limit));
}
