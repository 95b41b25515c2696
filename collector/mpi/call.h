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
	PUT,
	GET,
	GET_AND_PUT,
	FETCH, /* GET_AND_PUT of one element */
	SWAP,
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
	/* Known once the form has been read: */
	_Atomic(bool) is_read;
	enum expt_mpi_call type;
	unsigned char at['z' - 'A' + 1]; /* 1 + where a letter is; 0: there is none */
};

struct mpi_library;

struct mpi_call {
	const struct mpi_form *form;
	uint64_t *words; /* the parameters, in which a status may be replaced */
	const struct mpi_library *library;
	struct communicator communicator; /* of the call */
	bool has_communicator;
	struct mpi_packet packet;
	size_t further, taken; /* messages after that of the packet */
};

/* The frame of the recorded call of this thread that is under way; older than that of a
 * call that it makes. One that was left by a jump is younger than, or as old as, that of
 * the next. */
extern __thread const char *mpi_current __attribute__((visibility("hidden")));

/* Returns false for a call that was made by a recorded one: it is not recorded. frame is
 * that of the wrapper. */
static inline bool mpi_enter(const void *frame)
{
	const char *current = mpi_current;

	if (current && (const char *)frame < current)
		return false;
	mpi_current = frame;
	return true;
}

/* Keep the parameters; caller: an address in the code that called the wrapper. */
void mpi_begin(struct mpi_call *call, struct mpi_form *form, uint64_t *words,
	       const void *caller);
/* Keep what the call will overwrite, and find what it can be spared from afterwards. */
void mpi_prepare(struct mpi_call *call);
/* The call has returned at the time in call->packet, which is to be recorded. */
void mpi_end(struct mpi_call *call, int result);
/* Give the packet its shortest form: returns the type, and stores the size. */
static inline enum packet_type mpi_shorten(struct mpi_packet *packet, size_t *size)
{
	int64_t messages = (int64_t)packet->sends + packet->receives;

	*size = sizeof(*packet);
	if (messages > 1)
		return PACKET_MPI;
	packet->head.fd = (int32_t)messages;
	if (messages == 0) {
		if (packet->peer >= 0 || packet->tag != 0)
			return PACKET_MPI;
		*size = offsetof(struct mpi_packet, peer);
		return PACKET_MPI_CALL;
	}
	*size = offsetof(struct mpi_packet, received);
	if (packet->sends)
		return PACKET_MPI_SENT;
	packet->sent = packet->received;
	return PACKET_MPI_RECEIVED;
}

/* Make call->packet that of the next message. */
void mpi_take_next(struct mpi_call *call);
/* Returns false if there is none. */
static inline bool mpi_next(struct mpi_call *call)
{
	if (__builtin_expect(call->taken == call->further, 1))
		return false;
	mpi_take_next(call);
	return true;
}

#endif
