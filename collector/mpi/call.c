/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/call.h"

#include "collector/mpi/collective.h"
#include "collector/mpi/library.h"
#include "collector/mpi/messages.h"
#include "collector/mpi/parameters.h"
#include "collector/trace/trace.h"

/* The frame of the recorded call that is under way; older than that of a call that it
 * makes. One that was left by a jump is younger than, or as old as, that of the next. */
static __thread __attribute__((tls_model("initial-exec"))) const char *current;

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

void mpi_begin(struct mpi_call *call, struct mpi_form *form, uint64_t *words,
	       const void *frame, const void *caller)
{
	*call = (struct mpi_call){
		.form = form,
		.words = words,
		.packet.peer = -1,
	};
	call->is_recorded = !current || (const char *)frame >= current;
	if (!call->is_recorded)
		return;
	current = frame;
	call->library = mpi_library(caller);
	parameters_read(form);
	messages_before(call);
	if (form->class == END_COMMUNICATOR)
		communicators_remove(handle_in(call, parameter_find(call, 'F')));
}

void mpi_end(struct mpi_call *call, int result)
{
	if (!call->is_recorded)
		return;
	call->packet.head.time_ns = trace_now();
	call->packet.head.what = (int32_t)type_of(call->form->class);
	if (result == 0) {
		find_communicator(call);
		count_messages(call);
	}
	current = NULL;
}

bool mpi_next(struct mpi_call *call)
{
	return messages_next(call);
}
