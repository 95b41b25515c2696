/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/messages.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "collector/mpi/library.h"
#include "collector/mpi/parameters.h"
#include "collector/mpi/requests.h"
#include "collector/mpi/room.h"
#include "collector/mpi/status.h"

/* A call of the program may have cancelled a receive. */
static bool may_be_cancelled;

/* ---- statuses ---- */

static void replace_status(struct mpi_call *call, char letter, size_t count)
{
	uint64_t *word = parameter_find(call, letter);
	const struct room *room;

	if (!word || *word != call->library->status_ignore)
		return;
	room = room_make(count);
	if (count <= room->count)
		*word = (uint64_t)(uintptr_t)room->statuses;
}

/* Returns NULL if there is none. */
static const char *status_of(const struct mpi_call *call, char letter)
{
	const uint64_t *word = parameter_find(call, letter);

	return word && *word != call->library->status_ignore
		       ? (const char *)(uintptr_t)*word
		       : NULL;
}

/* Complete what is known of a message with what its status says. Returns false if none
 * has come. */
static bool read_status(const struct mpi_call *call, const char *status,
			const struct communicator *communicator, struct message *message)
{
	const struct mpi_library *library = call->library;
	int is_cancelled = 0, source;

	if (!status)
		return true;
	if (may_be_cancelled)
		library->test_cancelled(status, &is_cancelled);
	if (is_cancelled)
		return false;
	status_read_bytes(library, status, &message->bytes);
	message->tag = status_tag(library, status);
	source = status_source(library, status);
	if (message->peer == ANY_RANK)
		message->peer = communicator_rank(communicator, source);
	return source != library->no_rank;
}

/* ---- messages of a call ---- */

/* Packets are copied by words: the copy of a word that is stored in two halves would wait
 * for both stores. */
static void put_halves(int32_t *word, int32_t low, int32_t high)
{
	uint64_t both = (uint32_t)low | (uint64_t)(uint32_t)high << 32;

	memcpy(word, &both, sizeof(both));
}

static void put_first(struct mpi_packet *packet, const struct message *message)
{
	static_assert(offsetof(struct mpi_packet, receives) ==
			      offsetof(struct mpi_packet, sends) + sizeof(int32_t),
		      "halves of a word");
	static_assert(offsetof(struct mpi_packet, tag) ==
			      offsetof(struct mpi_packet, peer) + sizeof(int32_t),
		      "halves of a word");

	packet->communicator = message->communicator;
	put_halves(&packet->peer, message->peer < 0 ? -1 : message->peer, message->tag);
	put_halves(&packet->sends, !message->is_received, message->is_received);
	if (message->is_received)
		packet->received = message->bytes;
	else
		packet->sent = message->bytes;
}

/* Without room for it, a message only counts. */
static void add(struct mpi_call *call, const struct message *message)
{
	struct mpi_packet *packet = &call->packet;
	const struct room *room;

	if (packet->sends + packet->receives == 0) {
		put_first(packet, message);
		return;
	}
	room = room_make(call->further + 1);
	if (call->further < room->count) {
		room->messages[call->further++] = *message;
	} else if (message->is_received) {
		packet->receives++;
		packet->received += message->bytes;
	} else {
		packet->sends++;
		packet->sent += message->bytes;
	}
}

void messages_take_next(struct mpi_call *call)
{
	struct mpi_packet *packet = &call->packet;

	*packet = (struct mpi_packet){
		.head.time_ns = packet->head.time_ns,
		.head.what = EXPT_MPI_MESSAGE,
		.stack = packet->stack,
		.requested_ns = packet->head.time_ns,
	};
	put_first(packet, &room_make(0)->messages[call->taken++]);
}

static int64_t bytes_of(const struct mpi_call *call, char count, char type)
{
	return parameter_number(call, count) * parameter_size(call, type);
}

static void count_send(struct mpi_call *call)
{
	int to = parameter_number(call, 'd');
	struct message message = {
		.bytes = bytes_of(call, 'n', 't'),
		.communicator = call->communicator.number,
		.peer = communicator_rank(&call->communicator, to),
		.tag = parameter_number(call, 'e'),
	};

	if (to != call->library->no_rank)
		add(call, &message);
}

/* Whether a message is received; describe it as far as the parameters do. */
static bool expect(const struct mpi_call *call, struct request *request)
{
	const uint64_t *source = parameter_find(call, 's'),
		       *handle = parameter_find(call, 'c');

	*request = (struct request){ .peer = ANY_RANK, .is_active = true };
	if (!source || !handle)
		return true;
	request->communicator = parameter_handle(call, handle);
	request->communicator_number = call->communicator.number;
	if ((int)*source >= 0)
		request->peer = communicator_rank(&call->communicator, (int)*source);
	return (int)*source != call->library->no_rank;
}

/* What the status does not say, the parameters do: the type need not be asked mostly. */
static void add_received(struct mpi_call *call, const struct request *request,
			 const char *status)
{
	struct message message = {
		.bytes = request->bytes,
		.communicator = request->communicator_number,
		.peer = request->peer,
		.is_received = true,
	};
	struct communicator communicator = {};

	if (request->peer == ANY_RANK)
		communicators_known(request->communicator, &communicator);
	if (!read_status(call, status, &communicator, &message))
		return;
	if (message.bytes < 0)
		message.bytes = bytes_of(call, 'm', 'u');
	add(call, &message);
}

static uint64_t handle_at(const struct mpi_call *call, uint64_t list, size_t i)
{
	uint64_t handle = 0;

	memcpy(&handle, (const char *)(uintptr_t)list + i * call->library->handle_size,
	       call->library->handle_size);
	return handle;
}

/* The message that was probed is known by its handle, which was kept before the call. */
static void find_probed(const struct mpi_call *call, struct request *request)
{
	if (parameter_find(call, 'x') && room_make(1)->count > 0)
		requests_take(room_make(1)->handles[0], request);
}

static void count_receive(struct mpi_call *call)
{
	struct request request;

	if (!expect(call, &request))
		return;
	find_probed(call, &request);
	request.bytes = -1;
	add_received(call, &request, status_of(call, 'S'));
}

/* ---- requests ---- */

static void post(const struct mpi_call *call, bool is_kept)
{
	uint64_t handle = handle_at(call, *parameter_find(call, 'q'), 0);
	struct request request;

	if (!expect(call, &request))
		return;
	find_probed(call, &request);
	request.bytes = bytes_of(call, 'm', 'u');
	request.is_kept = is_kept;
	request.is_active = !is_kept;
	requests_put(handle, &request);
}

static void prepare_send(const struct mpi_call *call)
{
	int to = parameter_number(call, 'd');
	struct request request = {
		.bytes = bytes_of(call, 'n', 't'),
		.communicator_number = call->communicator.number,
		.peer = communicator_rank(&call->communicator, to),
		.tag = parameter_number(call, 'e'),
		.is_send = true,
		.is_kept = true,
	};

	if (to != call->library->no_rank)
		requests_put(handle_at(call, *parameter_find(call, 'q'), 0), &request);
}

/* The first message that a probe finds is the next that its handle receives. */
static void note_probed(const struct mpi_call *call)
{
	const uint64_t *flag = parameter_find(call, 'f');
	struct request request;

	if (flag && !*(const int *)(uintptr_t)*flag)
		return;
	if (expect(call, &request))
		requests_put(handle_at(call, *parameter_find(call, 'K'), 0), &request);
}

static size_t count_requests(const struct mpi_call *call)
{
	int count = parameter_find(call, 'k') ? parameter_number(call, 'k') : 1;

	return count < 0 ? 0 : (size_t)count;
}

/* The library takes complete ones out of the list. */
static void keep_handles(const struct mpi_call *call, char letter)
{
	const uint64_t *list = parameter_find(call, letter);
	size_t count = count_requests(call);
	const struct room *room;

	if (!list)
		return;
	room = room_make(count);
	for (size_t i = 0; i < count && i < room->count; i++)
		room->handles[i] = handle_at(call, *list, i);
}

static void count_started(struct mpi_call *call)
{
	size_t count = count_requests(call);
	const struct room *room = room_make(count);

	for (size_t i = 0; i < count && i < room->count; i++) {
		struct request request;
		struct message message;

		if (!requests_start(room->handles[i], &request) || !request.is_send)
			continue;
		message = (struct message){ request.bytes, request.communicator_number,
					    request.peer, request.tag, false };
		add(call, &message);
	}
}

static void forget(const struct mpi_call *call)
{
	const struct room *room = room_make(1);

	if (room->count > 0)
		requests_forget(room->handles[0]);
}

/* ---- completion of requests ---- */

static void complete(struct mpi_call *call, size_t index, const char *status)
{
	const struct room *room = room_make(0);
	struct request request;

	if (index < room->count && requests_take(room->handles[index], &request))
		add_received(call, &request, status);
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

void messages_before(struct mpi_call *call)
{
	keep_handles(call, 'Q');
	keep_handles(call, 'x');
	replace_status(call, 'S', 1);
	replace_status(call, 'A', count_requests(call));
	if (call->form->class == CANCEL)
		may_be_cancelled = true;
}

void messages_after(struct mpi_call *call)
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
		post(call, false);
		break;
	case PREPARE_RECEIVE:
		post(call, true);
		break;
	case PREPARE_SEND:
		prepare_send(call);
		break;
	case PROBE:
		note_probed(call);
		break;
	case START:
		count_started(call);
		break;
	case FORGET:
		forget(call);
		break;
	case COMPLETION:
		count_completed(call);
		break;
	default:
		break;
	}
}
