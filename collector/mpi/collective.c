/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of collective calls: one that the rank sends, one that it receives, or both.
 * Parameters that count at the root only are not looked at elsewhere: types may be none.
 */
#include "collector/mpi/collective.h"

#include "collector/mpi/library.h"
#include "collector/mpi/parameters.h"

struct group {
	int size; /* of those that messages go to and come from */
	bool is_root, has_root;
	bool is_inter; /* of two groups: ranks only talk to those of the other one */
};

/* MPI_ROOT, in a communicator of two groups, is a negative number; other ranks of the
 * root's group give MPI_PROC_NULL. */
static struct group find_group(const struct mpi_call *call)
{
	const uint64_t *comm = parameter_find(call, 'c'),
		       *root = parameter_find(call, 'o');
	struct group group = { .has_root = true };
	int is_inter = 0, rank = 0;

	if (!comm)
		return group;
	call->library->test_inter(*comm, &is_inter);
	group.is_inter = is_inter;
	if (is_inter) {
		call->library->remote_size(*comm, &group.size);
		group.is_root = root && (int)*root < 0 &&
				(int)*root != call->library->no_rank;
		group.has_root = !root || (int)*root != call->library->no_rank;
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
	const uint64_t *counts = parameter_find(call, list);
	int64_t sum = 0;

	if (!counts)
		return (int64_t)parameter_number(call, each) * group->size;
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
	const uint64_t *buffer = parameter_find(call, letter);

	return buffer && *buffer == call->library->in_place;
}

/* Elements of this rank among those of all. */
static int64_t own_count(const struct mpi_call *call, char each, char list)
{
	const uint64_t *counts = parameter_find(call, list);
	int rank = 0;

	if (!counts)
		return parameter_number(call, each);
	call->library->comm_rank(*parameter_find(call, 'c'), &rank);
	return ((const int *)(uintptr_t)*counts)[rank];
}

static void count_one_to_all(struct mpi_call *call, const struct group *group)
{
	bool receives = !group->is_root || !group->is_inter;

	if (call->form->class == BCAST) {
		int64_t bytes = parameter_number(call, 'n') * parameter_size(call, 't');

		if (group->is_root)
			send(call, bytes);
		else
			receive(call, bytes);
		return;
	}
	if (group->is_root)
		send(call, count_all(call, group, 'n', 'N') * parameter_size(call, 't'));
	if (receives && !is_in_place(call, 'B'))
		receive(call, parameter_number(call, 'm') * parameter_size(call, 'u'));
}

static void count_all_to_one(struct mpi_call *call, const struct group *group)
{
	bool is_reduction = call->form->class == REDUCE;
	bool sends = !group->is_root || !group->is_inter;

	if (sends && (is_reduction || !is_in_place(call, 'b')))
		send(call, parameter_number(call, 'n') * parameter_size(call, 't'));
	if (group->is_root && is_reduction)
		receive(call, parameter_number(call, 'n') * parameter_size(call, 't'));
	else if (group->is_root)
		receive(call,
			count_all(call, group, 'm', 'M') * parameter_size(call, 'u'));
}

static void count_all_to_all(struct mpi_call *call, const struct group *group)
{
	bool is_in = is_in_place(call, 'b'), is_gather;
	int64_t size = parameter_size(call, 'u');

	is_gather = call->form->class == ALLGATHER;
	receive(call, count_all(call, group, 'm', 'M') * size);
	if (is_in && is_gather)
		send(call, own_count(call, 'm', 'M') * size);
	else if (is_in)
		send(call, call->packet.received);
	else
		send(call, (is_gather ? parameter_number(call, 'n')
				      : count_all(call, group, 'n', 'N')) *
				   parameter_size(call, 't'));
}

static void count_reduction(struct mpi_call *call, const struct group *group)
{
	int64_t size = parameter_size(call, 't');

	if (call->form->class == ALLREDUCE) {
		send(call, parameter_number(call, 'n') * size);
		receive(call, parameter_number(call, 'n') * size);
	} else {
		send(call, count_all(call, group, 'm', 'M') * size);
		receive(call, own_count(call, 'm', 'M') * size);
	}
}

void collective_count(struct mpi_call *call)
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
