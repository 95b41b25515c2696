/* SPDX-License-Identifier: Apache-2.0 */
/* Other means by which one thread lets another one go on: semaphores, barriers, and the
 * end of a thread. */

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "collector/deadlock/wrapper.h"

/* ---- semaphores ---- */

#define SEMAPHORE_WAIT(name, version, parameters, arguments)       \
	ORDER_WRAPPER(int, name, parameters)                       \
	{                                                          \
		ORDER_REAL(wait, #name, version, int, parameters); \
		int rc = CALL(wait) arguments;                     \
                                                                   \
		if (rc == 0)                                       \
			order_take_over(semaphore);                \
		return rc;                                         \
	}

SEMAPHORE_WAIT(sem_wait, "GLIBC_2.2.5", (sem_t * semaphore), (semaphore))
SEMAPHORE_WAIT(sem_trywait, "GLIBC_2.2.5", (sem_t * semaphore), (semaphore))
SEMAPHORE_WAIT(sem_timedwait, "GLIBC_2.2.5",
	       (sem_t * semaphore, const struct timespec *limit), (semaphore, limit))
SEMAPHORE_WAIT(sem_clockwait, "GLIBC_2.30",
	       (sem_t * semaphore, clockid_t clock, const struct timespec *limit),
	       (semaphore, clock, limit))

ORDER_WRAPPER(int, sem_post, (sem_t * semaphore))
{
	ORDER_REAL(post, "sem_post", "GLIBC_2.2.5", int, (sem_t *));

	order_hand_over(semaphore);
	return CALL(post)(semaphore);
}

ORDER_WRAPPER(int, sem_destroy, (sem_t * semaphore))
{
	ORDER_REAL(destroy, "sem_destroy", "GLIBC_2.2.5", int, (sem_t *));

	order_forget(semaphore);
	return CALL(destroy)(semaphore);
}

/* ---- barriers ---- */

ORDER_WRAPPER(int, pthread_barrier_wait, (pthread_barrier_t * barrier))
{
	ORDER_REAL(wait, "pthread_barrier_wait", "GLIBC_2.2.5", int,
		   (pthread_barrier_t *));
	int rc;

	order_hand_over(barrier);
	rc = CALL(wait)(barrier);
	order_take_over(barrier);
	return rc;
}

ORDER_WRAPPER(int, pthread_barrier_destroy, (pthread_barrier_t * barrier))
{
	ORDER_REAL(destroy, "pthread_barrier_destroy", "GLIBC_2.2.5", int,
		   (pthread_barrier_t *));

	order_forget(barrier);
	return CALL(destroy)(barrier);
}

/* ---- ends of threads ---- */

#define JOIN(name, version, done, parameters, arguments)                  \
	ORDER_WRAPPER(int, name, parameters)                              \
	{                                                                 \
		ORDER_REAL(join, #name, version, int, parameters);        \
		struct joined joined = order_find((unsigned long)thread); \
		int rc = CALL(join) arguments;                            \
                                                                          \
		if (rc == done)                                           \
			order_join(&joined);                              \
		return rc;                                                \
	}

/* The same for a call that waits as long as it takes: the thread may wait for a lock of
 * the caller. */
#define WAITING_JOIN(name, version, done, parameters, arguments)                       \
	ORDER_WRAPPER(int, name, parameters)                                           \
	{                                                                              \
		ORDER_REAL(join, #name, version, int, parameters);                     \
		struct joined joined = order_find((unsigned long)thread);              \
		struct request request;                                                \
		bool is_asked = order_ask_end(&request, (unsigned long)thread, FRAME); \
		int rc;                                                                \
                                                                                       \
		if (is_asked)                                                          \
			order_wait(&request, ORDER_JOINS);                             \
		rc = CALL(join) arguments;                                             \
		if (is_asked)                                                          \
			order_waited(&request);                                        \
		if (rc == done)                                                        \
			order_join(&joined);                                           \
		return rc;                                                             \
	}

WAITING_JOIN(pthread_join, "GLIBC_2.2.5", 0, (pthread_t thread, void **result),
	     (thread, result))
WAITING_JOIN(thrd_join, "GLIBC_2.28", thrd_success, (thrd_t thread, int *result),
	     (thread, result))
JOIN(pthread_tryjoin_np, "GLIBC_2.3.3", 0, (pthread_t thread, void **result),
     (thread, result))
JOIN(pthread_timedjoin_np, "GLIBC_2.3.3", 0,
     (pthread_t thread, void **result, const struct timespec *limit),
     (thread, result, limit))
JOIN(pthread_clockjoin_np, "GLIBC_2.31", 0,
     (pthread_t thread, void **result, clockid_t clock, const struct timespec *limit),
     (thread, result, clock, limit))
