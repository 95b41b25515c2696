/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages and bytes a call sends and receives, from its parameters. */
#include "collector/mpi/call.h"

#include <string.h>

#include "collector/base/system.h"
#include "collector/mpi/collective.h"
#include "collector/mpi/library.h"
#include "collector/mpi/parameters.h"
#include "collector/mpi/requests.h"
#include "collector/trace/trace.h"

#define STATUS_MAX    24   /* the size of the larger one */
#define REQUESTS_STEP 1024 /* for which there is room at first */

/* The frame of the recorded call that is under way; older than that of a call that it
 * makes. One that was left by a jump is younger than, or as old as, that of the next. */
#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD const char *current;

/* Room for the requests that are to be completed, and for statuses that the program does
 * not want: the first ones of room_count are there. It grows, and stays. */
OF_THREAD uint64_t *handles;
OF_THREAD char *statuses;
OF_THREAD size_t room_count;

/* A wrapper of mmap(2) would take it for the program's. */
static void make_room(size_t count)
{
	size_t size = (count + REQUESTS_STEP - 1) / REQUESTS_STEP * REQUESTS_STEP;
	void *room;

	if (count <= room_count)
		return;
	room = (void *)system_call(SYS_mmap, 0, size * (sizeof(*handles) + STATUS_MAX),
				   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				   -1, 0);
	if ((uintptr_t)room >= (uintptr_t)-4095)
		return;
	handles = room;
	statuses = (char *)(handles + size);
	room_count = size;
}

/* ---- a status of our own, where the program wants none ---- */

static void replace_status(struct mpi_call *call, char letter, size_t count)
{
	uint64_t *word = parameter_find(call, letter);

	if (!word || *word != call->library->status_ignore)
		return;
	make_room(count);
	if (count <= room_count)
		*word = (uint64_t)(uintptr_t)statuses;
}

/* Returns NULL if there is none. */
static const char *status_of(const struct mpi_call *call, char letter)
{
	const uint64_t *word = parameter_find(call, letter);

	return word && *word != call->library->status_ignore
		       ? (const char *)(uintptr_t)*word
		       : NULL;
}

static bool bytes_of_status(const struct mpi_call *call, const char *status,
			    int64_t *bytes)
{
	int count = -1;

	if (!status ||
	    call->library->get_count(status, call->library->byte, &count) != 0 ||
	    count < 0)
		return false;
	*bytes = count;
	return true;
}

/* ---- messages between two ranks ---- */

static void count_send(struct mpi_call *call)
{
	if (parameter_number(call, 'd') == call->library->no_rank)
		return;
	call->packet.sends = 1;
	call->packet.sent = parameter_number(call, 'n') * parameter_size(call, 't');
}

static void count_receive(struct mpi_call *call)
{
	const uint64_t *source = parameter_find(call, 's');
	int64_t bytes;

	if (source && (int)*source == call->library->no_rank)
		return;
	if (!bytes_of_status(call, status_of(call, 'S'), &bytes))
		bytes = parameter_number(call, 'm') * parameter_size(call, 'u');
	call->packet.receives = 1;
	call->packet.received = bytes;
}

static uint64_t handle_at(const struct mpi_call *call, const void *handles_at, size_t i)
{
	uint64_t handle = 0;

	memcpy(&handle, (const char *)handles_at + i * call->library->handle_size,
	       call->library->handle_size);
	return handle;
}

static void note_request(const struct mpi_call *call)
{
	const uint64_t *request = parameter_find(call, 'q'),
		       *source = parameter_find(call, 's');

	if (!request || (source && (int)*source == call->library->no_rank))
		return;
	requests_put(handle_at(call, (const void *)(uintptr_t)*request, 0),
		     parameter_number(call, 'm') * parameter_size(call, 'u'));
}

/* ---- completion of requests ---- */

static size_t count_requests(const struct mpi_call *call)
{
	int count = parameter_find(call, 'k') ? parameter_number(call, 'k') : 1;

	return count < 0 ? 0 : (size_t)count;
}

/* The library takes complete ones out of the list. */
static void keep_requests(const struct mpi_call *call)
{
	size_t count = count_requests(call);
	const uint64_t *list = parameter_find(call, 'Q');

	make_room(count);
	for (size_t i = 0; list && i < count && i < room_count; i++)
		handles[i] = handle_at(call, (const void *)(uintptr_t)*list, i);
}

/* The message is as long as was expected if nothing else is known. */
static void complete(struct mpi_call *call, size_t request, const char *status)
{
	int64_t bytes;

	if (request >= room_count || !requests_take(handles[request], &bytes))
		return;
	bytes_of_status(call, status, &bytes);
	call->packet.receives++;
	call->packet.received += bytes;
}

static int read_result(const struct mpi_call *call, char letter, int otherwise)
{
	const uint64_t *word = parameter_find(call, letter);

	return word ? *(const int *)(uintptr_t)*word : otherwise;
}

static void count_list(struct mpi_call *call, int count)
{
	const char *statuses_of = status_of(call, 'A');
	const uint64_t *indices = parameter_find(call, 'J');

	for (int i = 0; i < count; i++)
		complete(call,
			 indices ? (size_t)((const int *)(uintptr_t)*indices)[i]
				 : (size_t)i,
			 statuses_of
				 ? statuses_of + (size_t)i * call->library->status_size
				 : NULL);
}

static void count_completed(struct mpi_call *call)
{
	int index = read_result(call, 'i', 0);

	if (!read_result(call, 'f', true))
		return;
	if (parameter_find(call, 'A'))
		count_list(call, read_result(call, 'j', (int)count_requests(call)));
	else if (index >= 0)
		complete(call, (size_t)index, status_of(call, 'S'));
}

/* ---- a call ---- */

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
	case OTHER:
		return EXPT_MPI_OTHER;
	default:
		return EXPT_MPI_COLLECTIVE;
	}
}

static void count_messages(struct mpi_call *call)
{
	switch (call->form->class) {
	case SEND:
		count_send(call);
		break;
	case RECEIVE:
		count_receive(call);
		break;
	case SENDRECEIVE:
		count_send(call);
		count_receive(call);
		break;
	case POST:
		note_request(call);
		break;
	case COMPLETION:
		count_completed(call);
		break;
	case OTHER:
	case OTHER_COLLECTIVE:
		break;
	default:
		collective_count(call);
	}
}

void mpi_begin(struct mpi_call *call, const struct mpi_form *form, uint64_t *words,
	       const void *frame, const void *caller)
{
	*call = (struct mpi_call){
		.form = form,
		.words = words,
		.library = mpi_library(caller),
	};
	call->is_recorded = !current || (const char *)frame >= current;
	if (!call->is_recorded)
		return;
	current = frame;
	if (form->class == COMPLETION)
		keep_requests(call);
	replace_status(call, 'S', 1);
	replace_status(call, 'A', count_requests(call));
	call->packet.requested_ns = trace_now();
}

void mpi_end(struct mpi_call *call, int result)
{
	if (!call->is_recorded)
		return;
	call->packet.head.time_ns = trace_now();
	call->packet.head.what = (int32_t)type_of(call->form->class);
	if (result == 0)
		count_messages(call);
	current = NULL;
}
