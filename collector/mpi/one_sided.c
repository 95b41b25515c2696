/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other rank makes no call, so these messages have no pairs: the packet does not say
 * whom they go to. They count where they are begun. A type is looked at only if there are
 * elements: otherwise it may be none.
 */
#include "collector/mpi/one_sided.h"

#include "collector/mpi/library.h"
#include "collector/mpi/parameters.h"

static void send(struct mpi_call *call, int64_t count)
{
	call->packet.sends = 1;
	call->packet.sent = count ? count * parameter_size(call, 't') : 0;
}

static void receive(struct mpi_call *call, int64_t count, char type)
{
	call->packet.receives = 1;
	call->packet.received = count ? count * parameter_size(call, type) : 0;
}

/* Nothing is sent with MPI_NO_OP, whatever the parameters are. */
static bool sends(const struct mpi_call *call)
{
	const uint64_t *operation = parameter_find(call, 'p');

	return !operation ||
	       parameter_handle(call, operation) != call->library->no_operation;
}

void one_sided_count(struct mpi_call *call)
{
	if (parameter_number(call, 'd') == call->library->no_rank)
		return;
	switch (call->form->class) {
	case PUT:
		if (sends(call))
			send(call, parameter_number(call, 'n'));
		break;
	case GET:
		receive(call, parameter_number(call, 'm'), 'u');
		break;
	case GET_AND_PUT:
		if (sends(call))
			send(call, parameter_number(call, 'n'));
		receive(call, parameter_number(call, 'm'), 'u');
		break;
	case FETCH:
		if (sends(call))
			send(call, 1);
		receive(call, 1, 't');
		break;
	case SWAP: /* sends a value to compare with, and one to store */
		send(call, 2);
		receive(call, 1, 't');
		break;
	default:
		break;
	}
}
