/* SPDX-License-Identifier: Apache-2.0 */
/* Statuses of messages. */
#ifndef COLLECTOR_MPI_STATUS_H
#define COLLECTOR_MPI_STATUS_H

#include <stdint.h>
#include <string.h>

#include "collector/mpi/library.h"

static inline int status_source(const struct mpi_library *library, const char *status)
{
	int source;

	memcpy(&source, status + library->status_source, sizeof(source));
	return source;
}

static inline int status_tag(const struct mpi_library *library, const char *status)
{
	int tag;

	memcpy(&tag, status + library->status_tag, sizeof(tag));
	return tag;
}

/* Store the bytes of the message, if they are known. */
void status_read_bytes(const struct mpi_library *library, const char *status,
		       int64_t *bytes);

#endif
