/* SPDX-License-Identifier: Apache-2.0 */
/* The library of MPI that the program uses. */
#ifndef COLLECTOR_MPI_LIBRARY_H
#define COLLECTOR_MPI_LIBRARY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define STATUS_MAX 24 /* the size of the larger one */

struct mpi_library {
	size_t handle_size, status_size;	/* a handle is a pointer, or an integer */
	uint64_t in_place, status_ignore, byte; /* constants */
	uint64_t world, no_communicator, no_operation;
	/* Handles of basic types have these bits, and hold the size. */
	uint32_t basic_mask, basic_types;
	size_t status_source, status_tag, status_bytes; /* offsets */
	int no_rank;					/* MPI_PROC_NULL */
	int (*type_size)(uint64_t type, int *size);
	int (*get_count)(const void *status, uint64_t type, int *count);
	int (*comm_size)(uint64_t comm, int *size),
		(*comm_rank)(uint64_t comm, int *rank);
	int (*comm_group)(uint64_t comm, uint64_t *group),
		(*remote_group)(uint64_t comm, uint64_t *group);
	int (*group_size)(uint64_t group, int *size), (*group_free)(uint64_t *group),
		(*translate)(uint64_t group, int count, const int *ranks, uint64_t other,
			     int *ranks_there);
	int (*test_cancelled)(const void *status, int *is);
	int (*remote_size)(uint64_t comm, int *size),
		(*test_inter)(uint64_t comm, int *is);
};

extern const struct mpi_library *_Atomic mpi_library_found
	__attribute__((visibility("hidden")));

/* caller, here and below: an address in the code that has called the wrapper. */
const struct mpi_library *mpi_find_library(const void *caller);
static inline const struct mpi_library *mpi_library(const void *caller)
{
	const struct mpi_library *library =
		atomic_load_explicit(&mpi_library_found, memory_order_acquire);

	return __builtin_expect(library != NULL, 1) ? library : mpi_find_library(caller);
}
/* Find the function after the wrapper of this name, and store it. */
void *mpi_find(_Atomic(void *) *function, const char *name, const void *caller);

/* Returns the function, which is found at its first use. */
static inline void *mpi_real(_Atomic(void *) *function, const char *name,
			     const void *caller)
{
	void *found = atomic_load_explicit(function, memory_order_relaxed);

	return __builtin_expect(found != NULL, 1) ? found
						  : mpi_find(function, name, caller);
}

#endif
