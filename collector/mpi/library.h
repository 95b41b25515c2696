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
	uint64_t world, no_communicator;
	size_t status_source, status_tag; /* offsets */
	int no_rank;			  /* MPI_PROC_NULL */
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

/* caller, here and below: an address in the code that has called the wrapper. */
const struct mpi_library *mpi_library(const void *caller);
/* Returns the function after the wrapper of this name. */
void *mpi_real(_Atomic(void *) *function, const char *name, const void *caller);

#endif
