/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The number of a communicator follows from its ranks in MPI_COMM_WORLD, and from how
 * many of the same ranks were made before: all ranks of a group make those that have just
 * its members in the same order.
 */
#include "collector/mpi/communicators.h"

#include "collector/base/system.h"
#include "collector/mpi/handles.h"

#define SIZE	   4096
#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)
#define WORLD	   1 /* the number of MPI_COMM_WORLD */

static uint64_t keys[SIZE], groups[SIZE];
static struct communicator communicators[SIZE];
static uint32_t made[SIZE]; /* of the group */
static struct handles handles = { ATOMIC_FLAG_INIT, SIZE, keys },
		      made_handles = { ATOMIC_FLAG_INIT, SIZE, groups };

/* The one that this thread found last, which is the next one mostly: it needs no lock as
 * long as the table is unchanged. */
static _Atomic(unsigned) changes;
static __thread __attribute__((tls_model("initial-exec"))) struct {
	uint64_t handle;
	unsigned changes;
	struct communicator communicator;
} last;

/* ---- ranks ---- */

static size_t size_of_ranks(int count)
{
	return 2 * (size_t)count * sizeof(int);
}

/* The second half of the room is for the ranks in the group. */
static int *make_ranks(int count)
{
	void *room = (void *)system_call(SYS_mmap, 0, (long)size_of_ranks(count),
					 PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return (uintptr_t)room >= (uintptr_t)-4095 ? NULL : room;
}

static void free_ranks(const int *ranks, int count)
{
	if (ranks)
		system_call(SYS_munmap, (long)ranks, (long)size_of_ranks(count), 0, 0, 0,
			    0);
}

static uint64_t hash_of(const int *ranks, int count)
{
	uint64_t hash = (uint64_t)count;

	for (int i = 0; i < count; i++) {
		hash = (hash ^ (uint32_t)ranks[i]) * MULTIPLIER;
		hash ^= hash >> 29;
	}
	return hash;
}

static bool are_the_same(const int *ranks, int count)
{
	for (int i = 0; i < count; i++)
		if (ranks[i] != i)
			return false;
	return true;
}

/* Store the ranks of a group in MPI_COMM_WORLD. Returns their hash; 0: it failed. */
static uint64_t translate(const struct mpi_library *library, uint64_t group,
			  struct communicator *communicator)
{
	uint64_t world = 0, hash = 0;
	int count = 0, *ranks = NULL;

	if (library->comm_group(library->world, &world) != 0)
		return 0;
	if (library->group_size(group, &count) == 0 && count > 0)
		ranks = make_ranks(count);
	for (int i = 0; ranks && i < count; i++)
		ranks[count + i] = i;
	if (ranks && library->translate(group, count, ranks + count, world, ranks) == 0) {
		hash = hash_of(ranks, count) | 1;
		communicator->size = count;
	}
	library->group_free(&world);
	if (hash == 0 || are_the_same(ranks, count)) {
		free_ranks(ranks, count);
		ranks = NULL;
	}
	communicator->ranks = ranks;
	return hash;
}

typedef int group_function(uint64_t handle, uint64_t *group);

static uint64_t read_group(const struct mpi_library *library, group_function *of,
			   uint64_t handle, struct communicator *communicator)
{
	uint64_t group = 0, hash;

	if (of(handle, &group) != 0)
		return 0;
	hash = translate(library, group, communicator);
	library->group_free(&group);
	return hash;
}

/* Returns the hash of its group. In a communicator of two groups messages go to the other
 * one. */
static uint64_t describe(const struct mpi_library *library, uint64_t handle,
			 struct communicator *communicator)
{
	struct communicator own = {};
	uint64_t hash;
	int is_inter = 0;

	*communicator = (struct communicator){};
	library->test_inter(handle, &is_inter);
	hash = read_group(library, library->comm_group, handle, &own);
	if (!is_inter) {
		*communicator = own;
		return hash;
	}
	free_ranks(own.ranks, own.size);
	return hash +
	       (read_group(library, library->remote_group, handle, communicator) | 1);
}

/* ---- the table ---- */

/* Returns how many communicators of this group are there, with a new one. */
static uint32_t count_made(uint64_t group)
{
	uint32_t count = 1;
	size_t place;

	handles_lock(&made_handles);
	place = handles_add(&made_handles, group);
	if (place != SIZE_MAX)
		count = ++made[place];
	handles_unlock(&made_handles);
	return count;
}

/* Without room for it, the ranks are not known. */
static void put(uint64_t handle, struct communicator *communicator)
{
	size_t place;

	handles_lock(&handles);
	place = handles_add(&handles, handle);
	if (place != SIZE_MAX)
		communicators[place] = *communicator;
	atomic_fetch_add(&changes, 1);
	handles_unlock(&handles);
	if (place != SIZE_MAX)
		return;
	free_ranks(communicator->ranks, communicator->size);
	communicator->ranks = NULL;
	communicator->size = 0;
}

bool communicators_known(uint64_t handle, struct communicator *communicator)
{
	unsigned now = atomic_load_explicit(&changes, memory_order_acquire);
	size_t place;

	if (handle != 0 && last.handle == handle && last.changes == now) {
		*communicator = last.communicator;
		return true;
	}
	handles_lock(&handles);
	place = handles_find(&handles, handle);
	if (place != SIZE_MAX)
		*communicator = communicators[place];
	handles_unlock(&handles);
	if (place == SIZE_MAX)
		return false;
	last.handle = handle;
	last.changes = now;
	last.communicator = *communicator;
	return true;
}

/* Numbers have 48 bits, for readers. */
static uint64_t number_of(uint64_t group, uint32_t made_before)
{
	return ((group + made_before) * MULTIPLIER >> 16) | 2;
}

/* One that was not made by a call is the first of its group. */
void communicators_find(const struct mpi_library *library, uint64_t handle,
			struct communicator *communicator)
{
	if (handle == library->no_communicator) {
		*communicator = (struct communicator){};
		return;
	}
	if (communicators_known(handle, communicator))
		return;
	communicator->number = number_of(describe(library, handle, communicator), 0);
	if (handle == library->world)
		communicator->number = WORLD;
	put(handle, communicator);
}

void communicators_add(const struct mpi_library *library, uint64_t handle,
		       uint64_t group_of)
{
	struct communicator communicator;
	uint64_t group;

	if (handle == library->no_communicator)
		return;
	communicators_remove(handle);
	group = describe(library, group_of, &communicator);
	communicator.number = number_of(group, count_made(group));
	put(handle, &communicator);
}

void communicators_remove(uint64_t handle)
{
	struct communicator communicator = {};
	size_t place;

	handles_lock(&handles);
	place = handles_find(&handles, handle);
	if (place != SIZE_MAX) {
		communicator = communicators[place];
		handles_remove(&handles, place);
	}
	atomic_fetch_add(&changes, 1);
	handles_unlock(&handles);
	free_ranks(communicator.ranks, communicator.size);
}

int communicator_rank(const struct communicator *communicator, int rank)
{
	if (rank < 0 || rank >= communicator->size)
		return -1;
	if (communicator->ranks)
		rank = communicator->ranks[rank];
	return rank < 0 ? -1 : rank;
}
