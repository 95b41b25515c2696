/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/kinds/kinds.h"

#include "libexpt/kinds/clock.h"
#include "libexpt/kinds/conflicts.h"
#include "libexpt/kinds/counters.h"
#include "libexpt/kinds/heap.h"
#include "libexpt/kinds/io.h"
#include "libexpt/kinds/mpi.h"
#include "libexpt/kinds/omp.h"
#include "libexpt/kinds/sync.h"

const struct data_kind *const data_kinds[KIND_COUNT] = {
	&clock_kind, &counters_kind,  &heap_kind, &sync_kind, &io_kind,
	&races_kind, &deadlocks_kind, &omp_kind,  &mpi_kind,
};
