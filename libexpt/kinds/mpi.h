/* SPDX-License-Identifier: Apache-2.0 */
/* MPI tracing: time, messages and bytes of the calls of MPI. */
#ifndef LIBEXPT_KINDS_MPI_H
#define LIBEXPT_KINDS_MPI_H

#include "libexpt/events/kind.h"

extern const struct data_kind mpi_kind;

#endif
