/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes and condition variables of C11, which do not call the POSIX functions. */

#include <threads.h>

#include "collector/deadlock/wrapper.h"

#define HAS_IT (rc_ == thrd_success)

ORDER_WRAPPER(int, mtx_lock, (mtx_t * mutex))
{
	ORDER_REAL(lock, "mtx_lock", "GLIBC_2.28", int, (mtx_t *));
	ORDER_ATTEMPT(attempt, "mtx_trylock", "GLIBC_2.28", int, (mtx_t *));

	return ORDER_LOCK(mutex, false, attempt && attempt(mutex) == thrd_success,
			  ORDER_MAY_HANG_ALONE, CALL(lock)(mutex), HAS_IT);
}

ORDER_WRAPPER(int, mtx_trylock, (mtx_t * mutex))
{
	ORDER_REAL(trylock, "mtx_trylock", "GLIBC_2.28", int, (mtx_t *));

	return ORDER_TRY(mutex, false, CALL(trylock)(mutex), HAS_IT);
}

ORDER_WRAPPER(int, mtx_timedlock, (mtx_t * mutex, const struct timespec *limit))
{
	ORDER_REAL(lock, "mtx_timedlock", "GLIBC_2.28", int,
		   (mtx_t *, const struct timespec *));

	return ORDER_TRY(mutex, false, CALL(lock)(mutex, limit), HAS_IT);
}

ORDER_WRAPPER(int, mtx_unlock, (mtx_t * mutex))
{
	ORDER_REAL(unlock, "mtx_unlock", "GLIBC_2.28", int, (mtx_t *));

	return ORDER_UNLOCK(mutex, CALL(unlock)(mutex));
}

ORDER_WRAPPER(int, mtx_init, (mtx_t * mutex, int type))
{
	ORDER_REAL(init, "mtx_init", "GLIBC_2.28", int, (mtx_t *, int));

	order_forget(mutex);
	return CALL(init)(mutex, type);
}

ORDER_WRAPPER(void, mtx_destroy, (mtx_t * mutex))
{
	ORDER_REAL(destroy, "mtx_destroy", "GLIBC_2.28", void, (mtx_t *));

	order_forget(mutex);
	CALL(destroy)(mutex);
}

ORDER_WRAPPER(int, cnd_wait, (cnd_t * condition, mtx_t *mutex))
{
	ORDER_REAL(wait, "cnd_wait", "GLIBC_2.28", int, (cnd_t *, mtx_t *));

	return ORDER_CONDITION(condition, mutex, CALL(wait)(condition, mutex), HAS_IT);
}

ORDER_WRAPPER(int, cnd_timedwait,
	      (cnd_t * condition, mtx_t *mutex, const struct timespec *limit))
{
	ORDER_REAL(wait, "cnd_timedwait", "GLIBC_2.28", int,
		   (cnd_t *, mtx_t *, const struct timespec *));

	return ORDER_CONDITION(condition, mutex, CALL(wait)(condition, mutex, limit),
			       HAS_IT);
}

#define CONDITION_WAKE(name)                                           \
	ORDER_WRAPPER(int, name, (cnd_t * condition))                  \
	{                                                              \
		ORDER_REAL(wake, #name, "GLIBC_2.28", int, (cnd_t *)); \
                                                                       \
		order_signal(condition);                               \
		return CALL(wake)(condition);                          \
	}

CONDITION_WAKE(cnd_signal)
CONDITION_WAKE(cnd_broadcast)

ORDER_WRAPPER(void, cnd_destroy, (cnd_t * condition))
{
	ORDER_REAL(destroy, "cnd_destroy", "GLIBC_2.28", void, (cnd_t *));

	order_forget(condition);
	CALL(destroy)(condition);
}
