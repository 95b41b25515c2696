/* SPDX-License-Identifier: Apache-2.0 */
/* The mappings of an image; those that a fork has copied are shared until one of both
 * changes them. */
#ifndef COLLECTOR_PERF_SHARED_H
#define COLLECTOR_PERF_SHARED_H

#include "collector/outside/mappings.h"

/* The kernel permits less by default. */
#define SHARED_MAPPINGS_MAX 65536

struct shared {
	struct mappings mappings;
	unsigned users;
};

/* What all together have, and may have. */
struct shared_budget {
	size_t used, most;
};

/* Returns a new one without mappings, or NULL. */
struct shared *shared_new(void);
struct shared *shared_add_user(struct shared *shared);
void shared_release(struct shared *shared, struct shared_budget *budget);
/* Put a mapping there, in the place of others; without has_code only drop those. Returns
 * the mappings, which the caller then has instead; NULL: too many, or out of memory; the
 * caller still has the former. */
struct shared *shared_map(struct shared *shared, const struct mapping *mapping,
			  bool has_code, struct shared_budget *budget);

#endif
