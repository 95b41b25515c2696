/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes of our own: locking them is no call of the program, if those are traced. */
#ifndef COLLECTOR_LOCK_H
#define COLLECTOR_LOCK_H

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
