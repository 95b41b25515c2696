/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a recording, for all kinds of data. */

#include "collector/files/source.h"

#include <stdatomic.h>

static const struct data_source *sources[DATA_COUNT];
static size_t source_count;
/* The process may go on after the end of a recording, and threads may begin meanwhile. */
static _Atomic int starting;
static _Atomic bool is_over;

void sources_open(const struct data_source *const *kinds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (kinds[i]->open())
			sources[source_count++] = kinds[i];
}

void sources_forget(void)
{
	source_count = 0;
	atomic_store(&is_over, false);
}

const struct data_source *source_at(size_t i)
{
	return i < source_count ? sources[i] : NULL;
}

bool sources_have(enum data_kind kind)
{
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->kind == kind)
			return true;
	return false;
}

void sources_describe(struct text *text)
{
	for (size_t i = 0; i < source_count; i++)
		if (!sources[i]->metadata && !sources[i]->is_late)
			sources[i]->describe(text);
}

bool sources_begin_start(void)
{
	atomic_fetch_add(&starting, 1);
	if (!atomic_load(&is_over))
		return true;
	atomic_fetch_sub(&starting, 1);
	return false;
}

void sources_finish_start(void)
{
	atomic_fetch_sub(&starting, 1);
}

void sources_start(struct thread *thread)
{
	if (!sources_begin_start())
		return;
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->start)
			sources[i]->start(thread);
	sources_finish_start();
}

bool sources_end_starts(void)
{
	atomic_store(&is_over, true);
	return atomic_load(&starting) == 0;
}

void sources_stop(struct thread *thread)
{
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->stop)
			sources[i]->stop(thread);
}

void sources_settle(struct thread *thread, uint64_t now, bool is_recorded)
{
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->settle)
			sources[i]->settle(thread, now, is_recorded);
}

void sources_close(void)
{
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->close)
			sources[i]->close();
}

void sources_silence(void)
{
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->silence)
			sources[i]->silence();
}

void sources_after_fork(void)
{
	atomic_store(&starting, 0);
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->after_fork)
			sources[i]->after_fork();
}

void sources_suspend(struct thread *thread)
{
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->suspend)
			sources[i]->suspend(thread);
}

void sources_resume(struct thread *thread)
{
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->resume)
			sources[i]->resume(thread);
}
