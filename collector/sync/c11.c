/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes, condition variables and threads of C11, which do not call the POSIX
 * functions. */

#include <threads.h>

#include "collector/sync/sync.h"

#define MUTEX_ATTEMPT SYNC_ATTEMPT(attempt, "mtx_trylock", "GLIBC_2.28", int, (mtx_t *))

SYNC_WRAPPER(int, mtx_lock, (mtx_t * mutex))
{
	SYNC_REAL(lock, "mtx_lock", "GLIBC_2.28", int, (mtx_t *));
	MUTEX_ATTEMPT;

	return SYNC_TRY_OR_WAIT(mutex, attempt && attempt(mutex) == thrd_success,
				SYNC_CALL(lock)(mutex));
}

SYNC_WRAPPER(int, mtx_timedlock, (mtx_t * mutex, const struct timespec *limit))
{
	SYNC_REAL(lock, "mtx_timedlock", "GLIBC_2.28", int,
		  (mtx_t *, const struct timespec *));
	MUTEX_ATTEMPT;

	return SYNC_TRY_OR_WAIT(mutex, attempt && attempt(mutex) == thrd_success,
				SYNC_CALL(lock)(mutex, limit));
}

SYNC_WRAPPER(int, cnd_wait, (cnd_t * condition, mtx_t *mutex))
{
	SYNC_REAL(wait, "cnd_wait", "GLIBC_2.28", int, (cnd_t *, mtx_t *));

	return SYNC_WAIT(mutex, SYNC_CALL(wait)(condition, mutex));
}

SYNC_WRAPPER(int, cnd_timedwait,
	     (cnd_t * condition, mtx_t *mutex, const struct timespec *limit))
{
	SYNC_REAL(wait, "cnd_timedwait", "GLIBC_2.28", int,
		  (cnd_t *, mtx_t *, const struct timespec *));

	return SYNC_WAIT(mutex, SYNC_CALL(wait)(condition, mutex, limit));
}

SYNC_WRAPPER(int, thrd_join, (thrd_t thread, int *result))
{
	SYNC_REAL(join, "thrd_join", "GLIBC_2.28", int, (thrd_t, int *));

	return SYNC_WAIT((const void *)thread, SYNC_CALL(join)(thread, result));
}
