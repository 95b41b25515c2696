/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Condition variables: a wait releases the mutex, and requests it again; who is woken
 * goes on after who woke it. glibc has two kinds with separate functions: programs linked
 * before version 2.3.2 keep the old ones.
 */

#include <pthread.h>

#include "collector/deadlock/wrapper.h"

#define CONDITION_WAIT(local, at, version)                                             \
	INTERPOSE(int, local, "pthread_cond_wait" at version,                          \
		  (pthread_cond_t * condition, pthread_mutex_t * mutex))               \
	{                                                                              \
		ORDER_REAL(wait, "pthread_cond_wait", version, int,                    \
			   (pthread_cond_t *, pthread_mutex_t *));                     \
                                                                                       \
		return ORDER_CONDITION(condition, mutex, CALL(wait)(condition, mutex), \
				       rc_ == 0);                                      \
	}

#define CONDITION_TIMEDWAIT(local, at, version)                                        \
	INTERPOSE(int, local, "pthread_cond_timedwait" at version,                     \
		  (pthread_cond_t * condition, pthread_mutex_t * mutex,                \
		   const struct timespec *limit))                                      \
	{                                                                              \
		ORDER_REAL(wait, "pthread_cond_timedwait", version, int,               \
			   (pthread_cond_t *, pthread_mutex_t *,                       \
			    const struct timespec *));                                 \
                                                                                       \
		return ORDER_CONDITION(condition, mutex,                               \
				       CALL(wait)(condition, mutex, limit), rc_ == 0); \
	}

#define CONDITION_WAKE(name, local, at, version)                             \
	INTERPOSE(int, local, name at version, (pthread_cond_t * condition)) \
	{                                                                    \
		ORDER_REAL(wake, name, version, int, (pthread_cond_t *));    \
                                                                             \
		order_signal(condition);                                     \
		return CALL(wake)(condition);                                \
	}

CONDITION_WAIT(pthread_cond_wait_of_2_2_5, "@", "GLIBC_2.2.5")
CONDITION_TIMEDWAIT(pthread_cond_timedwait_of_2_2_5, "@", "GLIBC_2.2.5")
CONDITION_WAKE("pthread_cond_signal", pthread_cond_signal_of_2_2_5, "@", "GLIBC_2.2.5")
CONDITION_WAKE("pthread_cond_broadcast", pthread_cond_broadcast_of_2_2_5, "@",
	       "GLIBC_2.2.5")
CONDITION_WAIT(pthread_cond_wait_of_2_3_2, "@@", "GLIBC_2.3.2")
CONDITION_TIMEDWAIT(pthread_cond_timedwait_of_2_3_2, "@@", "GLIBC_2.3.2")
CONDITION_WAKE("pthread_cond_signal", pthread_cond_signal_of_2_3_2, "@@", "GLIBC_2.3.2")
CONDITION_WAKE("pthread_cond_broadcast", pthread_cond_broadcast_of_2_3_2, "@@",
	       "GLIBC_2.3.2")

ORDER_WRAPPER(int, pthread_cond_clockwait,
	      (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
	       const struct timespec *limit))
{
	ORDER_REAL(wait, "pthread_cond_clockwait", "GLIBC_2.30", int,
		   (pthread_cond_t *, pthread_mutex_t *, clockid_t,
		    const struct timespec *));

	return ORDER_CONDITION(condition, mutex,
			       CALL(wait)(condition, mutex, clock, limit), rc_ == 0);
}

#define CONDITION_DESTROY(local, at, version)                             \
	INTERPOSE(int, local, "pthread_cond_destroy" at version,          \
		  (pthread_cond_t * condition))                           \
	{                                                                 \
		ORDER_REAL(destroy, "pthread_cond_destroy", version, int, \
			   (pthread_cond_t *));                           \
                                                                          \
		order_forget(condition);                                  \
		return CALL(destroy)(condition);                          \
	}

CONDITION_DESTROY(pthread_cond_destroy_of_2_2_5, "@", "GLIBC_2.2.5")
CONDITION_DESTROY(pthread_cond_destroy_of_2_3_2, "@@", "GLIBC_2.3.2")
