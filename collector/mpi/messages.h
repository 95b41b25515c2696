/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between two ranks, and requests for them. */
#ifndef COLLECTOR_MPI_MESSAGES_H
#define COLLECTOR_MPI_MESSAGES_H

#include "collector/mpi/call.h"

/* Keep what the call will overwrite: requests, and statuses that the program does not
 * want. */
void messages_before(struct mpi_call *call);
/* Count the messages of a call between two ranks that has succeeded. */
void messages_after(struct mpi_call *call);
/* See mpi_take_next(). */
void messages_take_next(struct mpi_call *call);

#endif
