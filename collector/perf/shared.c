/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/shared.h"

#include <stdlib.h>

struct shared *shared_new(void)
{
	struct shared *shared = calloc(1, sizeof(*shared));

	if (shared)
		shared->users = 1;
	return shared;
}

struct shared *shared_add_user(struct shared *shared)
{
	shared->users++;
	return shared;
}

void shared_release(struct shared *shared, struct shared_budget *budget)
{
	if (!shared || --shared->users > 0)
		return;
	budget->used -= shared->mappings.count;
	mappings_clear(&shared->mappings);
	free(shared);
}

/* Returns one that is not shared, or NULL. */
static struct shared *own(struct shared *shared, struct shared_budget *budget)
{
	struct shared *copy;

	if (shared->users == 1)
		return shared;
	if (budget->used + shared->mappings.count > budget->most)
		return NULL;
	copy = shared_new();
	if (!copy)
		return NULL;
	mappings_copy(&copy->mappings, &shared->mappings);
	if (copy->mappings.count != shared->mappings.count) {
		free(copy);
		return NULL;
	}
	budget->used += copy->mappings.count;
	shared->users--;
	return copy;
}

struct shared *shared_map(struct shared *shared, const struct mapping *mapping,
			  bool has_code, struct shared_budget *budget)
{
	size_t before;

	if (shared->mappings.count >= SHARED_MAPPINGS_MAX || budget->used >= budget->most)
		return NULL;
	shared = own(shared, budget);
	if (!shared)
		return NULL;
	before = shared->mappings.count;
	if (has_code)
		mappings_add(&shared->mappings, mapping);
	else
		mappings_drop(&shared->mappings, mapping->address, mapping->size);
	budget->used += shared->mappings.count;
	budget->used -= before;
	return shared;
}
