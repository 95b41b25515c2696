/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of collective calls. */
#ifndef COLLECTOR_MPI_COLLECTIVE_H
#define COLLECTOR_MPI_COLLECTIVE_H

#include "collector/mpi/call.h"

/* Add them to the packet of a call that has succeeded. */
void collective_count(struct mpi_call *call);

#endif
