/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/drain.h"

#include <sys/resource.h>
#include <unistd.h>

#define WAIT_MS	 200
#define PRIORITY (-20) /* the rings are small, and what they lose is lost */

static void *run(void *argument)
{
	struct drain *drain = argument;

	/* Without the right to do so, it remains as it is. */
	setpriority(PRIO_PROCESS, (id_t)gettid(), PRIORITY);
	while (!__atomic_load_n(&drain->is_ending, __ATOMIC_RELAXED)) {
		rings_wait(drain->rings, WAIT_MS);
		pthread_mutex_lock(&drain->lock);
		rings_drain(drain->rings, &drain->batch);
		pthread_mutex_unlock(&drain->lock);
	}
	return NULL;
}

int drain_start(struct drain *drain, const struct rings *rings)
{
	int error;

	*drain = (struct drain){ .rings = rings };
	pthread_mutex_init(&drain->lock, NULL);
	error = pthread_create(&drain->thread, NULL, run, drain);
	return -error;
}

void drain_take(struct drain *drain, struct batch *batch)
{
	struct batch taken;

	pthread_mutex_lock(&drain->lock);
	rings_drain(drain->rings, &drain->batch);
	taken = drain->batch;
	drain->batch = (struct batch){ 0 };
	pthread_mutex_unlock(&drain->lock);
	if (!batch_take(batch, &taken))
		batch_release(&taken);
}

void drain_stop(struct drain *drain)
{
	__atomic_store_n(&drain->is_ending, true, __ATOMIC_RELAXED);
	pthread_join(drain->thread, NULL);
	batch_release(&drain->batch);
	pthread_mutex_destroy(&drain->lock);
}
