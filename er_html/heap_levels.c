/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/heap_levels.h"

#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/cleanup.h"

/* Of all processes together. */
#define LEVELS_MAX 65536

struct process {
	size_t first, end; /* of its levels */
	uint64_t peak;
};

static size_t find_processes(const struct expt_heap *heap, struct process *processes)
{
	const struct expt_heap_level *levels = heap->levels;
	size_t count = 0;

	for (size_t i = 0; i < heap->level_count; i++) {
		if (i == 0 || levels[i].expt != levels[i - 1].expt)
			processes[count++] = (struct process){ .first = i };
		processes[count - 1].end = i + 1;
		if (levels[i].most_bytes > processes[count - 1].peak)
			processes[count - 1].peak = levels[i].most_bytes;
	}
	return count;
}

/* The largest first; those of one size in the order of their levels. */
static int compare_peaks(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	if (x->peak != y->peak)
		return x->peak > y->peak ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int compare_places(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static size_t keep_largest(struct process *processes, size_t count)
{
	size_t levels = 0, kept = 0;

	qsort(processes, count, sizeof(*processes), compare_peaks);
	for (; kept < count; kept++) {
		levels += processes[kept].end - processes[kept].first;
		if (levels > LEVELS_MAX)
			break;
	}
	qsort(processes, kept, sizeof(*processes), compare_places);
	return kept;
}

static int64_t expt_of(const struct expt_heap_level *level)
{
	return (int64_t)level->expt;
}

static int64_t time_of(const struct expt_heap_level *level)
{
	return (int64_t)level->time_ns;
}

static int64_t most_of(const struct expt_heap_level *level)
{
	return (int64_t)level->most_bytes;
}

static int64_t last_of(const struct expt_heap_level *level)
{
	return (int64_t)level->last_bytes;
}

int heap_levels_add(struct columns *columns, struct expt_view *view,
		    struct expt_error *err)
{
	static const struct {
		const char *name;
		unsigned form;
		int64_t (*get)(const struct expt_heap_level *level);
	} list[] = {
		{ "levelExperiment", COLUMN_DELTA, expt_of },
		{ "levelTime", COLUMN_SIGNED | COLUMN_DELTA, time_of },
		{ "levelMost", COLUMN_PLAIN, most_of },
		{ "levelLast", COLUMN_PLAIN, last_of },
	};
	cleanup_free struct process *processes = NULL;
	const struct expt_heap *heap;
	size_t count;
	int rc = expt_view_heap(view, &heap, err);

	if (rc < 0)
		return rc;
	processes = calloc(heap->level_count + 1, sizeof(*processes));
	if (!processes)
		return -ENOMEM;
	count = keep_largest(processes, find_processes(heap, processes));
	for (size_t c = 0; c < sizeof(list) / sizeof(*list); c++) {
		columns_begin(columns, list[c].name, list[c].form);
		for (size_t p = 0; p < count; p++)
			for (size_t i = processes[p].first; i < processes[p].end; i++)
				columns_add(columns, list[c].get(&heap->levels[i]));
	}
	return 0;
}
