/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes: a wait is what comes after a lock could not be had at once. */

#include <collector/interpose.h>
#include <collector/sync/sync.h>
#include <errno.h>
#include <pthread.h>

SYNC_WRAPPER(int, pthread_mutex_lock, (pthread_mutex_t * mutex))
{
	REAL(pthread_mutex_lock, "GLIBC_2.2.5", int, (pthread_mutex_t *));
	struct thread *thread = trace_begin();
	uint64_t start;
	int rc;

	if (thread == NULL)
		return real(mutex);
	start = trace_now();
	rc = real(mutex);
	sync_waited(thread, mutex, start);
	return rc;
}
