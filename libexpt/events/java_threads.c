/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/java_threads.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/idmap.h"
#include "libexpt/base/number.h"
#include "libexpt/expt.h"

#define SYSTEM_GROUP "system"

static bool is_java(const struct expt *expt)
{
	for (size_t i = 0; i < expt_profile_count(expt); i++)
		if (strcmp(expt_profile(expt, i)->name, "jprofile") == 0)
			return true;
	return false;
}

static bool start_thread(struct java_threads *threads, struct idmap *latest,
			 const struct expt_event *event, uint64_t id)
{
	const char *group = expt_event_attribute(event, "grpname");
	uint32_t *slot = idmap_add(latest, id);
	struct java_thread *thread = slot ? array_add(threads) : NULL;

	if (!thread)
		return false;
	*slot = (uint32_t)(threads->count - 1);
	*thread = (struct java_thread){
		.id = id,
		.start_ns = event->time_ns,
		.end_ns = UINT64_MAX,
		.is_system = group && strcmp(group, SYSTEM_GROUP) == 0,
	};
	return true;
}

static bool take_event(struct java_threads *threads, struct idmap *latest,
		       const struct expt_event *event)
{
	const char *text = expt_event_attribute(event, "tid");
	uint32_t number;
	uint64_t id;

	if (!text || !number_u64(&id, text))
		return true;
	if (event->kind == EXPT_EVENT_JTHREAD_START)
		return start_thread(threads, latest, event, id);
	number = idmap_find(latest, id);
	if (number != IDMAP_NONE && threads->items[number].end_ns == UINT64_MAX)
		threads->items[number].end_ns = event->time_ns;
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct java_thread *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->start_ns < b->start_ns ? -1 : a->start_ns > b->start_ns;
}

bool java_threads_read(struct java_threads *threads, const struct expt *expt)
{
	struct idmap latest = { 0 };
	bool is_good = true;

	threads->is_java = is_java(expt);
	for (size_t i = 0; threads->is_java && is_good && i < expt_event_count(expt);
	     i++) {
		const struct expt_event *event = expt_event(expt, i);

		if (event->kind == EXPT_EVENT_JTHREAD_START ||
		    event->kind == EXPT_EVENT_JTHREAD_END)
			is_good = take_event(threads, &latest, event);
	}
	idmap_release(&latest);
	if (threads->count > 1)
		qsort(threads->items, threads->count, sizeof(*threads->items), compare);
	return is_good;
}

enum thread_kind java_threads_find(const struct java_threads *threads, uint64_t id,
				   uint64_t time_ns)
{
	struct java_thread wanted = { .id = id, .start_ns = time_ns };
	size_t low = 0, high = threads->count;
	const struct java_thread *found;

	if (!threads->is_java)
		return THREAD_OF_PROGRAM;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(&threads->items[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	found = low > 0 ? &threads->items[low - 1] : NULL;
	if (!found || found->id != id || time_ns > found->end_ns)
		return THREAD_UNKNOWN;
	return found->is_system ? THREAD_OF_MACHINE : THREAD_OF_PROGRAM;
}

void java_threads_release(struct java_threads *threads)
{
	array_release(threads);
}
