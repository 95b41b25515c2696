/* SPDX-License-Identifier: Apache-2.0 */
/* MPI tracing, as a kind of data. */
#ifndef COLLECTOR_SOURCES_MPI_H
#define COLLECTOR_SOURCES_MPI_H

#include "collector/files/source.h"

extern const struct data_source mpi_source;

#endif
