/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/call.h"

#include <stdatomic.h>

#include "collector/mpi/collective.h"
#include "collector/mpi/library.h"
#include "collector/mpi/messages.h"
#include "collector/mpi/one_sided.h"
#include "collector/mpi/parameters.h"
#include "collector/trace/trace.h"

__thread const char *mpi_current __attribute__((tls_model("initial-exec")));

static enum expt_mpi_call type_of(enum mpi_class class)
{
	switch (class) {
	case SEND:
		return EXPT_MPI_SEND;
	case RECEIVE:
	case POST:
		return EXPT_MPI_RECEIVE;
	case SENDRECEIVE:
		return EXPT_MPI_SENDRECEIVE;
	case COMPLETION:
		return EXPT_MPI_COMPLETION;
	case PUT:
	case GET:
	case GET_AND_PUT:
	case FETCH:
	case SWAP:
		return EXPT_MPI_ONE_SIDED;
	case PROBE:
	case PREPARE_SEND:
	case PREPARE_RECEIVE:
	case START:
	case FORGET:
	case CANCEL:
	case OTHER:
		return EXPT_MPI_OTHER;
	default:
		return EXPT_MPI_COLLECTIVE;
	}
}

static uint64_t handle_in(const struct mpi_call *call, const uint64_t *word)
{
	return call->library->handle_size == sizeof(int)
		       ? *(const uint32_t *)(uintptr_t)*word
		       : *(const uint64_t *)(uintptr_t)*word;
}

static void find_communicator(struct mpi_call *call)
{
	const uint64_t *handle = parameter_find(call, 'c');

	if (!handle)
		return;
	if (!call->has_communicator)
		communicators_find(call->library, parameter_handle(call, handle),
				   &call->communicator);
	call->packet.communicator = call->communicator.number;
}

static void note_communicator(const struct mpi_call *call)
{
	const uint64_t *copied = parameter_find(call, 'c');
	uint64_t handle = handle_in(call, parameter_find(call, 'C'));

	communicators_add(call->library, handle,
			  call->form->class == COPY ? parameter_handle(call, copied)
						    : handle);
}

static void count_messages(struct mpi_call *call)
{
	switch (call->form->class) {
	case SEND:
	case RECEIVE:
	case POST:
	case SENDRECEIVE:
	case PROBE:
	case PREPARE_SEND:
	case PREPARE_RECEIVE:
	case START:
	case FORGET:
	case COMPLETION:
		messages_after(call);
		break;
	case PUT:
	case GET:
	case GET_AND_PUT:
	case FETCH:
	case SWAP:
		one_sided_count(call);
		break;
	case NEW_COMMUNICATOR:
	case COPY:
		note_communicator(call);
		break;
	case CANCEL:
	case END_COMMUNICATOR:
	case OTHER_COLLECTIVE:
	case OTHER:
		break;
	default:
		collective_count(call);
	}
}

/* A single initializer for all of it would be a string instruction, which begins slowly.
 */
void mpi_begin(struct mpi_call *call, struct mpi_form *form, uint64_t *words,
	       const void *caller)
{
	if (!atomic_load_explicit(&form->is_read, memory_order_acquire)) {
		form->type = type_of(form->class);
		parameters_read(form);
	}
	call->form = form;
	call->words = words;
	call->library = mpi_library(caller);
	call->communicator = (struct communicator){};
	call->has_communicator = false;
	call->packet = (struct mpi_packet){
		.head.what = (int32_t)form->type,
		.peer = -1,
	};
	call->further = call->taken = 0;
}

/* A communicator that is not known yet may not be one: MPI is asked about it only after
 * the call has succeeded. */
void mpi_prepare(struct mpi_call *call)
{
	const uint64_t *handle = parameter_find(call, 'c');

	if (handle)
		call->has_communicator = communicators_known(
			parameter_handle(call, handle), &call->communicator);
	messages_before(call);
	if (call->form->class == END_COMMUNICATOR)
		communicators_remove(handle_in(call, parameter_find(call, 'F')));
}

void mpi_end(struct mpi_call *call, int result)
{
	if (result == 0) {
		find_communicator(call);
		count_messages(call);
	}
	mpi_current = NULL;
}

void mpi_take_next(struct mpi_call *call)
{
	messages_take_next(call);
}
