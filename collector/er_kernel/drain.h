/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that empties the rings, whatever the others are doing. */
#ifndef COLLECTOR_ER_KERNEL_DRAIN_H
#define COLLECTOR_ER_KERNEL_DRAIN_H

#include <pthread.h>
#include <stdbool.h>

#include "collector/outside/batch.h"
#include "collector/outside/rings.h"

struct drain {
	const struct rings *rings;
	pthread_t thread;
	pthread_mutex_t lock;
	struct batch batch; /* taken from the rings, under the lock */
	bool is_ending;
};

/* Start the thread. Returns 0, or a negative errno. */
int drain_start(struct drain *drain, const struct rings *rings);
/* Add all records that are there now to the batch. */
void drain_take(struct drain *drain, struct batch *batch);
void drain_stop(struct drain *drain);

#endif
