/* SPDX-License-Identifier: Apache-2.0 */
/* Data that a rank moves into, or out of, the memory of another one. */
#ifndef COLLECTOR_MPI_ONE_SIDED_H
#define COLLECTOR_MPI_ONE_SIDED_H

#include "collector/mpi/call.h"

/* Count the messages of a one-sided call that has succeeded. */
void one_sided_count(struct mpi_call *call);

#endif
