/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/kinds.h"

#include "libexpt/analysis/clock.h"
#include "libexpt/analysis/counters.h"
#include "libexpt/analysis/heap.h"
#include "libexpt/analysis/io.h"
#include "libexpt/analysis/sync.h"

const struct data_kind *const data_kinds[KIND_COUNT] = {
	&clock_kind, &counters_kind, &heap_kind, &sync_kind, &io_kind,
};
