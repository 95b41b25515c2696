/* SPDX-License-Identifier: Apache-2.0 */
/* A table of what is known of handles of MPI, as far as there is room. Hold its lock. */
#ifndef COLLECTOR_MPI_HANDLES_H
#define COLLECTOR_MPI_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct handles {
	atomic_flag lock;
	size_t size;	/* a power of 2 */
	uint64_t *keys; /* 0: an empty place; each has a place in arrays of the owner */
};

/* A lock of the library of threads would be traced, and that may not even be there. */
static inline void handles_lock(struct handles *handles)
{
	while (atomic_flag_test_and_set_explicit(&handles->lock, memory_order_acquire))
		__builtin_ia32_pause();
}

static inline void handles_unlock(struct handles *handles)
{
	atomic_flag_clear_explicit(&handles->lock, memory_order_release);
}

/* Returns the place of the key, or SIZE_MAX. A key that is to be added gets one if there
 * is room. */
size_t handles_find(const struct handles *handles, uint64_t key);
size_t handles_add(struct handles *handles, uint64_t key);
void handles_remove(struct handles *handles, size_t place);

#endif
