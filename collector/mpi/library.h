/* SPDX-License-Identifier: Apache-2.0 */
/* The library of MPI that the program uses. */
#ifndef COLLECTOR_MPI_LIBRARY_H
#define COLLECTOR_MPI_LIBRARY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct mpi_library {
	size_t handle_size, status_size;	/* a handle is a pointer, or an integer */
	uint64_t in_place, status_ignore, byte; /* constants */
	int no_rank;				/* MPI_PROC_NULL */
	int (*type_size)(uint64_t type, int *size);
	int (*get_count)(const void *status, uint64_t type, int *count);
	int (*comm_size)(uint64_t comm, int *size),
		(*comm_rank)(uint64_t comm, int *rank);
	int (*remote_size)(uint64_t comm, int *size),
		(*test_inter)(uint64_t comm, int *is);
};

/* caller, here and below: an address in the code that has called the wrapper. */
const struct mpi_library *mpi_library(const void *caller);
/* Returns the function after the wrapper of this name. */
void *mpi_real(_Atomic(void *) *function, const char *name, const void *caller);

#endif
