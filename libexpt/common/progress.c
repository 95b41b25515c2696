/* SPDX-License-Identifier: Apache-2.0 */
/* Readers take no lock: each number is correct by itself, which is enough for them. */
#include "libexpt/common/progress.h"

#include <stddef.h>

static void store(volatile uint64_t *counter, uint64_t value)
{
	__atomic_store_n(counter, value, __ATOMIC_RELAXED);
}

static void add(volatile uint64_t *counter, uint64_t value)
{
	__atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}

void progress_begin(struct expt_progress *progress, enum expt_phase phase)
{
	if (!progress)
		return;
	store(&progress->files, 0);
	store(&progress->bytes, 0);
	progress->phase = phase;
}

void progress_expect(struct expt_progress *progress, uint64_t files, uint64_t bytes)
{
	if (!progress)
		return;
	add(&progress->total_files, files);
	add(&progress->total_bytes, bytes);
}

void progress_add(struct expt_progress *progress, uint64_t files, uint64_t bytes)
{
	if (!progress)
		return;
	add(&progress->files, files);
	add(&progress->bytes, bytes);
}
