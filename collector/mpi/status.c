/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a message are in its status, at a place that programs are compiled with,
 * but must not use. The next call may wait for a message that this rank is about to send,
 * so they are read there, once that has given the same as MPI_Get_count().
 */
#include "collector/mpi/status.h"

static _Atomic(int) way;
enum { UNKNOWN, STORED, ASKED };

/* MPICH has a bit for cancelled messages between the halves. */
static int64_t stored_bytes(const struct mpi_library *library, const char *status)
{
	uint64_t word;

	memcpy(&word, status + library->status_bytes, sizeof(word));
	if (library->handle_size == sizeof(uint32_t))
		word = (uint32_t)word | word >> 33 << 32;
	return (int64_t)word;
}

void status_read_bytes(const struct mpi_library *library, const char *status,
		       int64_t *bytes)
{
	int known = atomic_load_explicit(&way, memory_order_relaxed), count = -1;

	if (__builtin_expect(known == STORED, 1)) {
		*bytes = stored_bytes(library, status);
		return;
	}
	if (library->get_count(status, library->byte, &count) != 0 || count < 0)
		return;
	*bytes = count;
	if (known == UNKNOWN && count > 0)
		atomic_store_explicit(
			&way, stored_bytes(library, status) == count ? STORED : ASKED,
			memory_order_relaxed);
}
