/* SPDX-License-Identifier: Apache-2.0 */
/* The two interfaces that libraries of MPI have: that of Open MPI, and that of MPICH and
 * all that follow it. */
#include "collector/mpi/library.h"

#include <dlfcn.h>

#include "collector/base/interpose.h"

static void *find(const char *name, const void *caller)
{
	void *found = dlsym(RTLD_NEXT, name);

	return found ? found : find_as_seen_by(caller, name);
}

/* A variable may have been copied into the program, which is before this library. */
static uint64_t find_variable(const char *name, const void *caller)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	return (uint64_t)(uintptr_t)(found ? found : find_as_seen_by(caller, name));
}

void *mpi_find(_Atomic(void *) *function, const char *name, const void *caller)
{
	void *found = find(name, caller);

	atomic_store_explicit(function, found, memory_order_relaxed);
	return found;
}

static void find_functions(struct mpi_library *library, const void *caller)
{
	library->type_size = find("PMPI_Type_size", caller);
	library->get_count = find("PMPI_Get_count", caller);
	library->comm_size = find("PMPI_Comm_size", caller);
	library->comm_rank = find("PMPI_Comm_rank", caller);
	library->comm_group = find("PMPI_Comm_group", caller);
	library->remote_group = find("PMPI_Comm_remote_group", caller);
	library->group_size = find("PMPI_Group_size", caller);
	library->group_free = find("PMPI_Group_free", caller);
	library->translate = find("PMPI_Group_translate_ranks", caller);
	library->test_cancelled = find("PMPI_Test_cancelled", caller);
	library->remote_size = find("PMPI_Comm_remote_size", caller);
	library->test_inter = find("PMPI_Comm_test_inter", caller);
}

static struct mpi_library open_mpi = {
	.handle_size = 8,
	.status_size = 24,
	.in_place = 1,
	.status_ignore = 0,
	.status_source = 0,
	.status_tag = 4,
	.status_bytes = 16,
	.no_rank = -2,
	.basic_types = 1, /* none */
};

static struct mpi_library mpich = {
	.handle_size = 4,
	.status_size = 20,
	.in_place = UINT64_MAX,
	.status_ignore = 1,
	.byte = 0x4c00010d,
	.world = 0x44000000,
	.no_communicator = 0x04000000,
	.no_operation = 0x5800000e,
	.status_source = 8,
	.status_tag = 12,
	.status_bytes = 0,
	.no_rank = -1,
	.basic_mask = 0xffff0000,
	.basic_types = 0x4c000000,
};

const struct mpi_library *_Atomic mpi_library_found;

/* Several threads may find the same. */
const struct mpi_library *mpi_find_library(const void *caller)
{
	struct mpi_library *library;

	open_mpi.byte = find_variable("ompi_mpi_byte", caller);
	open_mpi.world = find_variable("ompi_mpi_comm_world", caller);
	open_mpi.no_communicator = find_variable("ompi_mpi_comm_null", caller);
	open_mpi.no_operation = find_variable("ompi_mpi_op_no_op", caller);
	library = open_mpi.byte ? &open_mpi : &mpich;
	find_functions(library, caller);
	atomic_store(&mpi_library_found, library);
	return library;
}
