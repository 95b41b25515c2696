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

#include "collector/mpi/communicators.h"
#include "collector/trace/trace.h"
#include "libexpt/format.h"

/* How messages follow from the parameters. */
enum mpi_class {
	SEND,
	RECEIVE,
	POST, /* begins to receive */
	SENDRECEIVE,
	PROBE, /* takes a message out, for one call that receives it */
	PREPARE_SEND,
	PREPARE_RECEIVE,
	START,	/* of what was prepared */
	FORGET, /* a request */
	CANCEL,
	COMPLETION,
	BCAST,
	GATHER,
	SCATTER,
	ALLGATHER,
	ALLTOALL,
	REDUCE,
	ALLREDUCE,
	REDUCE_SCATTER,
	NEW_COMMUNICATOR,
	COPY, /* the new communicator is not complete yet */
	END_COMMUNICATOR,
	OTHER_COLLECTIVE,
	OTHER,
};

struct mpi_form {
	enum mpi_class class;
	const char *parameters; /* see calls.h */
	_Atomic(bool) is_read;
	unsigned char at['z' - 'A' + 1]; /* 1 + where a letter is; 0: there is none */
};

struct mpi_library;

struct mpi_call {
	const struct mpi_form *form;
	uint64_t *words; /* the parameters, in which a status may be replaced */
	const struct mpi_library *library;
	struct communicator communicator; /* of the call, once it has succeeded */
	bool is_recorded;
	struct mpi_packet packet;
	size_t further, taken; /* messages after that of the packet */
};

/* Call before and after the call. If call->is_recorded, the time is to be stored in
 * between, and call->packet is to be recorded afterwards: not if the call was made by a
 * recorded one. frame is the wrapper's, and caller an address in the code that called
 * it. */
void mpi_begin(struct mpi_call *call, struct mpi_form *form, uint64_t *words,
	       const void *frame, const void *caller);
void mpi_end(struct mpi_call *call, int result);
/* Make call->packet that of the next message. Returns false if there is none. */
bool mpi_next(struct mpi_call *call);

#endif
