/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the kinds of data, and the steps of a recording for all of them. */

#include "collector/files/source.h"

#include "collector/sources/clock.h"
#include "collector/sources/counters.h"
#include "collector/sources/heap.h"
#include "collector/sources/io.h"
#include "collector/sources/sync.h"

/* In the order of their elements in log.xml. */
static const struct data_source *const all[] = {
	&clock_source, &counters_source, &heap_source, &sync_source, &io_source,
};
#define ALL_COUNT (sizeof(all) / sizeof(all[0]))

static const struct data_source *sources[ALL_COUNT];
static size_t source_count;

void sources_open(void)
{
	for (size_t i = 0; i < ALL_COUNT; i++)
		if (all[i]->open())
			sources[source_count++] = all[i];
}

const struct data_source *source_at(size_t i)
{
	return i < source_count ? sources[i] : NULL;
}

void sources_describe(struct text *text)
{
	for (size_t i = 0; i < source_count; i++)
		sources[i]->describe(text);
}

void sources_start(struct thread *thread)
{
	for (size_t i = 0; i < source_count; i++)
		if (sources[i]->start)
			sources[i]->start(thread);
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
