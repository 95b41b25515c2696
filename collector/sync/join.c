/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for the end of threads, where the object is the thread, and at a barrier. */

#include <pthread.h>

#include "collector/sync/sync.h"

static inline const void *object_of(pthread_t thread)
{
	return (const void *)thread;
}

SYNC_WRAPPER(int, pthread_join, (pthread_t thread, void **result))
{
	SYNC_REAL(join, "pthread_join", "GLIBC_2.2.5", int, (pthread_t, void **));

	return SYNC_WAIT(object_of(thread), SYNC_CALL(join)(thread, result));
}

SYNC_WRAPPER(int, pthread_timedjoin_np,
	     (pthread_t thread, void **result, const struct timespec *limit))
{
	SYNC_REAL(join, "pthread_timedjoin_np", "GLIBC_2.3.3", int,
		  (pthread_t, void **, const struct timespec *));

	return SYNC_WAIT(object_of(thread), SYNC_CALL(join)(thread, result, limit));
}

SYNC_WRAPPER(int, pthread_clockjoin_np,
	     (pthread_t thread, void **result, clockid_t clock,
	      const struct timespec *limit))
{
	SYNC_REAL(join, "pthread_clockjoin_np", "GLIBC_2.31", int,
		  (pthread_t, void **, clockid_t, const struct timespec *));

	return SYNC_WAIT(object_of(thread),
			 SYNC_CALL(join)(thread, result, clock, limit));
}

/* Never waits: only a successful call is an event. */
SYNC_WRAPPER(int, pthread_tryjoin_np, (pthread_t thread, void **result))
{
	SYNC_REAL(join, "pthread_tryjoin_np", "GLIBC_2.3.3", int, (pthread_t, void **));
	int rc = SYNC_CALL(join)(thread, result);
	struct sync_call call;

	if (rc == 0) {
		sync_prepare(&call, object_of(thread));
		sync_got(&call);
	}
	return rc;
}

SYNC_WRAPPER(int, pthread_barrier_wait, (pthread_barrier_t * barrier))
{
	SYNC_REAL(wait, "pthread_barrier_wait", "GLIBC_2.2.5", int,
		  (pthread_barrier_t *));

	return SYNC_WAIT(barrier, SYNC_CALL(wait)(barrier));
}
