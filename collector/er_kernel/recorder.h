/* SPDX-License-Identifier: Apache-2.0 */
/* Records what all processors do, until the end of the load, of the window, or an
 * interrupt. */
#ifndef COLLECTOR_ER_KERNEL_RECORDER_H
#define COLLECTOR_ER_KERNEL_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/er_kernel/plan.h"

struct outcome {
	bool has_load, has_load_ended;
	int load_status;     /* as a shell reports it */
	int load_error;	     /* an errno: it could not be executed */
	uint64_t lost;	     /* records, by the kernel */
	uint64_t lost_waits; /* records of threads that begin to wait, likewise */
	uint64_t skipped;    /* samples, which came faster than they could be processed */
	bool are_names_hidden;
};

/* Returns 0, or a negative errno: nothing was recorded. With -EACCES and -EPERM the
 * kernel does not permit it. */
int recorder_check(const struct plan *plan);
int recorder_run(struct outcome *outcome, const struct plan *plan);

#endif
