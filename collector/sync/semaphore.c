/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores. sem_wait() is a cancellation point even if it need not wait. */

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

#include "collector/sync/sync.h"

#define SEMAPHORE_ATTEMPT \
	SYNC_ATTEMPT(attempt, "sem_trywait", "GLIBC_2.2.5", int, (sem_t *))

static inline bool try_wait(int (*attempt)(sem_t *), sem_t *semaphore)
{
	int error;

	pthread_testcancel();
	error = errno;
	if (attempt(semaphore) == 0)
		return true;
	errno = error;
	return false;
}

SYNC_WRAPPER(int, sem_wait, (sem_t * semaphore))
{
	SYNC_REAL(wait, "sem_wait", "GLIBC_2.2.5", int, (sem_t *));
	SEMAPHORE_ATTEMPT;

	return SYNC_TRY_OR_WAIT(semaphore, attempt && try_wait(attempt, semaphore),
				SYNC_CALL(wait)(semaphore));
}

SYNC_WRAPPER(int, sem_timedwait, (sem_t * semaphore, const struct timespec *limit))
{
	SYNC_REAL(wait, "sem_timedwait", "GLIBC_2.2.5", int,
		  (sem_t *, const struct timespec *));
	SEMAPHORE_ATTEMPT;

	return SYNC_TRY_OR_WAIT(semaphore,
				attempt && sync_is_limit(CLOCK_REALTIME, limit) &&
					try_wait(attempt, semaphore),
				SYNC_CALL(wait)(semaphore, limit));
}

SYNC_WRAPPER(int, sem_clockwait,
	     (sem_t * semaphore, clockid_t clock, const struct timespec *limit))
{
	SYNC_REAL(wait, "sem_clockwait", "GLIBC_2.30", int,
		  (sem_t *, clockid_t, const struct timespec *));
	SEMAPHORE_ATTEMPT;

	return SYNC_TRY_OR_WAIT(semaphore,
				attempt && sync_is_limit(clock, limit) &&
					try_wait(attempt, semaphore),
				SYNC_CALL(wait)(semaphore, clock, limit));
}
