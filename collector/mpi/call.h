/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrappers of MPI. They are the same for all libraries: a parameter is a word of 64 bits
 * that is passed on, be it an integer or a pointer, and only the library at hand says how
 * large a handle is. Those of the names PMPI_* are for Fortran: the functions of Open MPI
 * for it call them.
 */
#ifndef COLLECTOR_MPI_CALL_H
#define COLLECTOR_MPI_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/trace/trace.h"
#include "libexpt/format.h"

/* How messages follow from the parameters. */
enum mpi_class {
	SEND,
	RECEIVE,
	POST, /* begins to receive */
	SENDRECEIVE,
	COMPLETION,
	BCAST,
	GATHER,
	SCATTER,
	ALLGATHER,
	ALLTOALL,
	REDUCE,
	ALLREDUCE,
	REDUCE_SCATTER,
	OTHER_COLLECTIVE,
	OTHER,
};

struct mpi_form {
	enum mpi_class class;
	const char *parameters; /* see calls.h */
};

struct mpi_library;

struct mpi_call {
	const struct mpi_form *form;
	uint64_t *words; /* the parameters, in which a status may be replaced */
	const struct mpi_library *library;
	bool is_recorded;
	struct mpi_packet packet;
};

/* Call before and after the call. Afterwards call->packet is to be recorded if
 * call->is_recorded: not if the call was made by a recorded one. frame is the wrapper's,
 * and caller an address in the code that called it. */
void mpi_begin(struct mpi_call *call, const struct mpi_form *form, uint64_t *words,
	       const void *frame, const void *caller);
void mpi_end(struct mpi_call *call, int result);

#endif
