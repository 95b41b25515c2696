/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that empties the rings, whatever the others are doing. */
#ifndef COLLECTOR_ER_KERNEL_DRAIN_H
#define COLLECTOR_ER_KERNEL_DRAIN_H

#include <pthread.h>
#include <stdbool.h>

#include "collector/outside/batch.h"
#include "collector/outside/rings.h"

struct drain {
	struct rings *rings;
	pthread_t thread;
	pthread_mutex_t lock;
	struct batch batch;  /* taken from the rings, under the lock */
	uint64_t drained_ns; /* all older records are in it, or were */
	bool is_ending;
};

/* Start the thread. Returns 0, or a negative errno. */
int drain_start(struct drain *drain, struct rings *rings);
/* Add the records taken so far to the batch. Returns a time: no older ones will come. */
uint64_t drain_take(struct drain *drain, struct batch *batch);
/* End the thread, after which drain_take() has all records. */
void drain_stop(struct drain *drain);
void drain_release(struct drain *drain);

#endif
