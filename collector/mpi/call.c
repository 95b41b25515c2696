/* SPDX-License-Identifier: Apache-2.0 */
/* Which messages and bytes a call sends and receives, from its parameters. */
#include "collector/mpi/call.h"

#include <string.h>

#include "collector/mpi/library.h"
#include "collector/mpi/requests.h"
#include "collector/trace/trace.h"

#define REQUESTS_MAX 64 /* whose messages have the size of their status */
#define STATUS_MAX   24

/* The frame of the recorded call that is under way; older than that of a call that it
 * makes. One that was left by a jump is younger than, or as old as, that of the next. */
#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))
OF_THREAD const char *current;
OF_THREAD uint64_t handles[REQUESTS_MAX];
OF_THREAD char statuses[REQUESTS_MAX][STATUS_MAX];

/* ---- parameters ---- */

static const uint64_t *find(const struct mpi_call *call, char letter)
{
	const char *at = strchr(call->form->parameters, letter);

	return at ? &call->words[at - call->form->parameters] : NULL;
}

static int number(const struct mpi_call *call, char letter)
{
	const uint64_t *word = find(call, letter);

	return word ? (int)*word : 0;
}

static uint64_t handle_at(const struct mpi_call *call, const void *handles_at, size_t i)
{
	uint64_t handle = 0;

	memcpy(&handle, (const char *)handles_at + i * call->library->handle_size,
	       call->library->handle_size);
	return handle;
}

static int64_t size_of(const struct mpi_call *call, char letter)
{
	const uint64_t *type = find(call, letter);
	int size = 0;

	if (!type || call->library->type_size(*type, &size) != 0)
		return 0;
	return size;
}

/* ---- a status of our own, where the program wants none ---- */

static void replace_status(struct mpi_call *call, char letter, size_t count)
{
	const char *at = strchr(call->form->parameters, letter);
	uint64_t *word = at ? &call->words[at - call->form->parameters] : NULL;

	if (word && *word == call->library->status_ignore && count <= REQUESTS_MAX)
		*word = (uint64_t)(uintptr_t)statuses;
}

static bool bytes_of_status(const struct mpi_call *call, const char *status,
			    int64_t *bytes)
{
	int count = -1;

	if (call->library->get_count(status, call->library->byte, &count) != 0 ||
	    count < 0)
		return false;
	*bytes = count;
	return true;
}

/* ---- messages between two ranks ---- */

static void count_send(struct mpi_call *call)
{
	if (number(call, 'd') == call->library->no_rank)
		return;
	call->packet.sends = 1;
	call->packet.sent = number(call, 'n') * size_of(call, 't');
}

static void count_receive(struct mpi_call *call)
{
	const uint64_t *status = find(call, 'S'), *source = find(call, 's');
	int64_t bytes = 0;

	if (source && (int)*source == call->library->no_rank)
		return;
	if (!status || !bytes_of_status(call, (const char *)(uintptr_t)*status, &bytes))
		bytes = number(call, 'm') * size_of(call, 'u');
	call->packet.receives = 1;
	call->packet.received = bytes;
}

static void note_request(const struct mpi_call *call)
{
	const uint64_t *request = find(call, 'q'), *source = find(call, 's');

	if (!request || (source && (int)*source == call->library->no_rank))
		return;
	requests_put(handle_at(call, (const void *)(uintptr_t)*request, 0),
		     number(call, 'm') * size_of(call, 'u'));
}

/* ---- completion of requests ---- */

static size_t count_requests(const struct mpi_call *call)
{
	int count = find(call, 'k') ? number(call, 'k') : 1;

	return count < 0 ? 0 : (size_t)count;
}

/* The library takes complete ones out of the list. */
static void keep_requests(const struct mpi_call *call)
{
	size_t count = count_requests(call);
	const uint64_t *list = find(call, 'Q');

	for (size_t i = 0; list && i < count && i < REQUESTS_MAX; i++)
		handles[i] = handle_at(call, (const void *)(uintptr_t)*list, i);
}

static void complete(struct mpi_call *call, size_t request, const char *status)
{
	int64_t bytes;

	if (request >= REQUESTS_MAX || !requests_take(handles[request], &bytes))
		return;
	bytes_of_status(call, status, &bytes);
	call->packet.receives++;
	call->packet.received += bytes;
}

static int read_result(const struct mpi_call *call, char letter, int otherwise)
{
	const uint64_t *word = find(call, letter);

	return word ? *(const int *)(uintptr_t)*word : otherwise;
}

static void count_completed(struct mpi_call *call)
{
	const uint64_t *one = find(call, 'S'), *list = find(call, 'A');
	const uint64_t *indices = find(call, 'J');
	const char *status = (const char *)(uintptr_t)(one ? *one : *list);
	int index = read_result(call, 'i', 0);
	int count = read_result(call, 'j', (int)count_requests(call));

	if (!read_result(call, 'f', true))
		return;
	if (one && index >= 0)
		complete(call, (size_t)index, status);
	for (int i = 0; !one && i < count; i++)
		complete(call,
			 indices ? (size_t)((const int *)(uintptr_t)*indices)[i]
				 : (size_t)i,
			 status + (size_t)i * call->library->status_size);
}

/* ---- collective calls ---- */

struct group {
	int size; /* of those that messages go to and come from */
	bool is_root, has_root;
};

/* MPI_ROOT, in a communicator of two groups, is a negative number; other ranks of the
 * root's group give MPI_PROC_NULL. */
static struct group find_group(const struct mpi_call *call)
{
	const uint64_t *comm = find(call, 'c'), *root = find(call, 'o');
	struct group group = { .has_root = true };
	int is_inter = 0, rank = 0;

	if (!comm)
		return group;
	call->library->test_inter(*comm, &is_inter);
	if (is_inter) {
		call->library->remote_size(*comm, &group.size);
		group.is_root = root && (int)*root < 0 &&
				(int)*root != call->library->no_rank;
		group.has_root = root && (int)*root != call->library->no_rank;
	} else {
		call->library->comm_size(*comm, &group.size);
		call->library->comm_rank(*comm, &rank);
		group.is_root = root && (int)*root == rank;
	}
	return group;
}

/* The elements for, or of, all ranks. */
static int64_t count_all(const struct mpi_call *call, const struct group *group,
			 char each, char list)
{
	const uint64_t *counts = find(call, list);
	int64_t sum = 0;

	if (!counts)
		return (int64_t)number(call, each) * group->size;
	for (int i = 0; i < group->size; i++)
		sum += ((const int *)(uintptr_t)*counts)[i];
	return sum;
}

static void send(struct mpi_call *call, int64_t bytes)
{
	call->packet.sends = 1;
	call->packet.sent = bytes;
}

static void receive(struct mpi_call *call, int64_t bytes)
{
	call->packet.receives = 1;
	call->packet.received = bytes;
}

static bool is_in_place(const struct mpi_call *call, char letter)
{
	const uint64_t *buffer = find(call, letter);

	return buffer && *buffer == call->library->in_place;
}

/* Elements of this rank among those of all. */
static int64_t own_count(const struct mpi_call *call, char each, char list)
{
	const uint64_t *counts = find(call, list);
	int rank = 0;

	if (!counts)
		return number(call, each);
	call->library->comm_rank(*find(call, 'c'), &rank);
	return ((const int *)(uintptr_t)*counts)[rank];
}

static void count_one_to_all(struct mpi_call *call, const struct group *group)
{
	int64_t size = size_of(call, 't');

	if (call->form->class == BCAST) {
		if (group->is_root)
			send(call, number(call, 'n') * size);
		else
			receive(call, number(call, 'n') * size);
		return;
	}
	if (group->is_root)
		send(call, count_all(call, group, 'n', 'N') * size);
	if (!is_in_place(call, 'B'))
		receive(call, number(call, 'm') * size_of(call, 'u'));
}

static void count_all_to_one(struct mpi_call *call, const struct group *group)
{
	int64_t size = size_of(call, 't');

	if (call->form->class == REDUCE) {
		send(call, number(call, 'n') * size);
		if (group->is_root)
			receive(call, number(call, 'n') * size);
		return;
	}
	if (!is_in_place(call, 'b'))
		send(call, number(call, 'n') * size);
	if (group->is_root)
		receive(call, count_all(call, group, 'm', 'M') * size_of(call, 'u'));
}

static void count_all_to_all(struct mpi_call *call, const struct group *group)
{
	bool is_in = is_in_place(call, 'b'), is_gather;
	int64_t size = size_of(call, 'u');

	is_gather = call->form->class == ALLGATHER;
	receive(call, count_all(call, group, 'm', 'M') * size);
	if (is_in && is_gather)
		send(call, own_count(call, 'm', 'M') * size);
	else if (is_in)
		send(call, call->packet.received);
	else
		send(call,
		     (is_gather ? number(call, 'n') : count_all(call, group, 'n', 'N')) *
			     size_of(call, 't'));
}

static void count_reduction(struct mpi_call *call, const struct group *group)
{
	int64_t size = size_of(call, 't');

	if (call->form->class == ALLREDUCE) {
		send(call, number(call, 'n') * size);
		receive(call, number(call, 'n') * size);
	} else {
		send(call, count_all(call, group, 'm', 'M') * size);
		receive(call, own_count(call, 'm', 'M') * size);
	}
}

static void count_collective(struct mpi_call *call)
{
	struct group group = find_group(call);

	if (!group.has_root)
		return;
	switch (call->form->class) {
	case BCAST:
	case SCATTER:
		count_one_to_all(call, &group);
		break;
	case GATHER:
	case REDUCE:
		count_all_to_one(call, &group);
		break;
	case ALLGATHER:
	case ALLTOALL:
		count_all_to_all(call, &group);
		break;
	case ALLREDUCE:
	case REDUCE_SCATTER:
		count_reduction(call, &group);
		break;
	default:
		break;
	}
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
	case BARRIER:
		break;
	default:
		count_collective(call);
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
