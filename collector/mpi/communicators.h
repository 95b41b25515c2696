/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators: a number that is the same in all their ranks, and where those are in
 * MPI_COMM_WORLD. */
#ifndef COLLECTOR_MPI_COMMUNICATORS_H
#define COLLECTOR_MPI_COMMUNICATORS_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/mpi/library.h"

struct communicator {
	uint64_t number;  /* 0: unknown */
	const int *ranks; /* those that messages go to; NULL: the same */
	int size;	  /* how many there are */
};

/* Find a communicator that is in use. */
void communicators_find(const struct mpi_library *library, uint64_t handle,
			struct communicator *communicator);
/* The same for one that may be gone: returns false then. */
bool communicators_known(uint64_t handle, struct communicator *communicator);
/* A new one. Its group is that of the other handle, which is its own, or that of the one
 * that is being copied into it. */
void communicators_add(const struct mpi_library *library, uint64_t handle,
		       uint64_t group_of);
void communicators_remove(uint64_t handle);

/* Returns the rank in MPI_COMM_WORLD, or -1 if it is not there. */
int communicator_rank(const struct communicator *communicator, int rank);

#endif
