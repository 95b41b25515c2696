/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rings have no room for is lost, so the thread waits for nobody: while another
 * one has the lock, or has not processed the records before, it keeps them to itself.
 */

#include "collector/er_kernel/drain.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collector/outside/status.h"

#define WAIT_MS	 100
#define PRIORITY (-20)

/* Without the right to do so, it remains as it is. */
static void hurry(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	if (sched_setscheduler(gettid(), SCHED_FIFO, &first) < 0)
		setpriority(PRIO_PROCESS, (id_t)gettid(), PRIORITY);
}

static void hand_over(struct drain *drain, struct batch *batch, uint64_t time_ns)
{
	if (batch_take(&drain->batch, batch))
		drain->drained_ns = time_ns;
}

static void *run(void *argument)
{
	struct drain *drain = argument;
	struct batch batch = { 0 };
	uint64_t now = 0;

	hurry();
	while (!__atomic_load_n(&drain->is_ending, __ATOMIC_RELAXED)) {
		rings_wait(drain->rings, WAIT_MS);
		now = status_now();
		rings_drain(drain->rings, &batch);
		if (pthread_mutex_trylock(&drain->lock) != 0)
			continue;
		if (!batch_is_full(&drain->batch))
			hand_over(drain, &batch, now);
		pthread_mutex_unlock(&drain->lock);
	}
	rings_drain(drain->rings, &batch);
	pthread_mutex_lock(&drain->lock);
	hand_over(drain, &batch, UINT64_MAX);
	pthread_mutex_unlock(&drain->lock);
	batch_release(&batch);
	return NULL;
}

int drain_start(struct drain *drain, struct rings *rings)
{
	int error;

	*drain = (struct drain){ .rings = rings };
	pthread_mutex_init(&drain->lock, NULL);
	error = pthread_create(&drain->thread, NULL, run, drain);
	return -error;
}

uint64_t drain_take(struct drain *drain, struct batch *batch)
{
	uint64_t drained;

	pthread_mutex_lock(&drain->lock);
	if (!batch_take(batch, &drain->batch)) {
		batch->skipped += drain->batch.count;
		batch_release(&drain->batch);
	}
	drained = drain->drained_ns;
	pthread_mutex_unlock(&drain->lock);
	return drained;
}

void drain_stop(struct drain *drain)
{
	__atomic_store_n(&drain->is_ending, true, __ATOMIC_RELAXED);
	pthread_join(drain->thread, NULL);
}

void drain_release(struct drain *drain)
{
	batch_release(&drain->batch);
	pthread_mutex_destroy(&drain->lock);
}
