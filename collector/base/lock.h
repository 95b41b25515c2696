/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's own mutexes. Locking them is not traced as a call of the program. */
#ifndef COLLECTOR_BASE_LOCK_H
#define COLLECTOR_BASE_LOCK_H

#include <pthread.h>

#include "collector/base/interpose.h"

static inline void lock_mutex(pthread_mutex_t *mutex)
{
	LIBC(pthread_mutex_lock, "GLIBC_2.2.5", int, (pthread_mutex_t *));

	real(mutex);
}

static inline void unlock_mutex(pthread_mutex_t *mutex)
{
	LIBC(pthread_mutex_unlock, "GLIBC_2.2.5", int, (pthread_mutex_t *));

	real(mutex);
}

#endif
