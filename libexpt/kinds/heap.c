/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing: allocations and frees of a process, in the order of time. Memory not
 * freed at its end is leaked, at the call stack that allocated it. */
#include "libexpt/kinds/heap.h"

#include "libexpt/base/array.h"
#include "libexpt/base/idmap.h"
#include "libexpt/events/replay.h"
#include "libexpt/kinds/heap_calls.h"
#include "libexpt/kinds/heap_words.h"

static const struct metric_form metrics[] = {
	[EXPT_ALLOCATED_BYTES] = { "heapallocbytes", "Bytes Allocated", "Bytes Allocated",
				   EXPT_UNIT_COUNT },
	[EXPT_ALLOCATIONS] = { "heapalloccnt", "Allocations", "Allocations",
			       EXPT_UNIT_COUNT },
	[EXPT_LEAKED_BYTES] = { "heapleakbytes", "Bytes Leaked", "Bytes Leaked",
				EXPT_UNIT_COUNT },
	[EXPT_LEAKS] = { "heapleakcnt", "Leaks", "Leaks", EXPT_UNIT_COUNT },
};

static bool offers(const struct kind_use *use, const struct expt *expt, size_t metric)
{
	return expt_has_data(expt, EXPT_HEAP);
}

struct moments {
	struct moment {
		uint64_t time_ns;
		uint32_t stack;
	} * items;
	size_t count, capacity;
};

/* Memory that a process has at a given time. */
struct process_heap {
	struct heap_calls calls;
	uint64_t bytes;
	uint64_t peak_bytes;
	struct moments peak; /* once for each call stack that reached it */
	uint64_t level_ns;   /* how long a level is */
	size_t first_level;  /* of this process, in the summary */
};

/* ---- sums ---- */

static void add_size(struct expt_heap_sizes *sizes, uint64_t size)
{
	sizes->ranges[expt_size_range(size)]++;
	if (sizes->count == 0 || size < sizes->smallest)
		sizes->smallest = size;
	if (size > sizes->largest)
		sizes->largest = size;
	sizes->count++;
	add_saturated(&sizes->bytes, value_saturated(size));
}

static void count_leak(struct replay *replay, uint32_t stack, uint64_t size)
{
	replay_add(replay, stack, EXPT_LEAKED_BYTES, value_saturated(size));
	replay_add(replay, stack, EXPT_LEAKS, size > 0);
}

static void count_freed(void *context, uint32_t stack, uint64_t size, bool is_all)
{
	struct replay *replay = context;
	struct process_heap *heap = replay->state;

	replay_add(replay, stack, EXPT_LEAKED_BYTES, -value_saturated(size));
	replay_add(replay, stack, EXPT_LEAKS, -(int64_t)(is_all && size > 0));
	if (stack != REPLAY_DROPPED)
		heap->bytes -= size;
}

static bool note_moment(struct moments *peak, uint32_t stack, uint64_t time_ns)
{
	struct moment *moment;

	for (size_t i = 0; i < peak->count; i++)
		if (peak->items[i].stack == stack)
			return true;
	moment = array_add(peak);
	if (moment)
		*moment = (struct moment){ time_ns, stack };
	return moment;
}

static bool count_allocated(void *context, uint32_t stack, uint64_t size,
			    uint64_t time_ns)
{
	struct replay *replay = context;
	struct process_heap *heap = replay->state;
	struct heap_summary *summary = replay->summary;

	if (stack == REPLAY_DROPPED)
		return true;
	replay_add(replay, stack, EXPT_ALLOCATIONS, 1);
	replay_add(replay, stack, EXPT_ALLOCATED_BYTES, value_saturated(size));
	count_leak(replay, stack, size);
	add_size(&summary->heap.allocated, size);
	heap->bytes += size;
	if (heap->bytes == 0 || heap->bytes < heap->peak_bytes)
		return true;
	if (heap->bytes > heap->peak_bytes)
		heap->peak.count = 0;
	heap->peak_bytes = heap->bytes;
	return note_moment(&heap->peak, replay_stack(replay, stack), time_ns);
}

/* ---- levels ---- */

/* Let each level be twice as long. */
static void merge_levels(struct process_heap *heap, struct heap_summary *summary)
{
	struct expt_heap_level *levels = summary->levels.items;
	size_t count = heap->first_level;

	heap->level_ns *= 2;
	for (size_t i = heap->first_level; i < summary->levels.count; i++) {
		struct expt_heap_level level = levels[i];

		level.time_ns -= level.time_ns % heap->level_ns;
		if (count == heap->first_level ||
		    levels[count - 1].time_ns != level.time_ns) {
			levels[count++] = level;
			continue;
		}
		levels[count - 1].last_bytes = level.last_bytes;
		if (level.most_bytes > levels[count - 1].most_bytes)
			levels[count - 1].most_bytes = level.most_bytes;
	}
	summary->levels.count = count;
}

/* Note what the process has after a call. false: out of memory. */
static bool note_level(const struct replay *replay, uint64_t time_ns)
{
	struct process_heap *heap = replay->state;
	struct heap_summary *summary = replay->summary;
	uint64_t start = time_ns - time_ns % heap->level_ns;
	struct expt_heap_level *last = NULL, *level;

	if (summary->levels.count > heap->first_level)
		last = &summary->levels.items[summary->levels.count - 1];
	if (last && last->time_ns >= start) {
		last->last_bytes = heap->bytes;
		if (heap->bytes > last->most_bytes)
			last->most_bytes = heap->bytes;
		return true;
	}
	if (last ? last->last_bytes == heap->bytes : heap->bytes == 0)
		return true;
	level = array_add(&summary->levels);
	if (!level)
		return false;
	*level = (struct expt_heap_level){
		.expt = replay->member,
		.time_ns = start,
		.most_bytes = heap->bytes,
		.last_bytes = heap->bytes,
	};
	while (summary->levels.count - heap->first_level > EXPT_HEAP_LEVELS &&
	       heap->level_ns < UINT64_MAX / 4)
		merge_levels(heap, summary);
	return true;
}

/* ---- calls ---- */

static uint32_t number_of(void *context, const struct expt_record *record)
{
	return replay_number(context, record);
}

static void count_lost(void *context, uint32_t stack, uint64_t size)
{
	const struct replay *replay = context;
	struct heap_summary *summary = replay->summary;

	if (size > 0 && stack != REPLAY_DROPPED)
		add_size(&summary->heap.leaked, size);
}

static bool count_unknown(void *context, uint32_t stack, uint64_t size)
{
	replay_add(context, stack, EXPT_ALLOCATIONS, 1);
	replay_add(context, stack, EXPT_ALLOCATED_BYTES, value_saturated(size));
	return true;
}

static const struct heap_effects effects = {
	.number = number_of,
	.allocate = count_allocated,
	.release = count_freed,
	.lose = count_lost,
	.guess = count_unknown,
};

static bool follow(struct replay *replay, const struct expt_record *record)
{
	const struct expt *expt = replay->view->members.items[replay->member].expt;
	struct process_heap *heap = replay->state;

	if (!heap->calls.effects) {
		heap->calls.page_size = expt_info(expt)->page_size;
		heap->calls.effects = &effects;
		heap->calls.context = replay;
		heap->level_ns = 1;
		heap->first_level =
			((const struct heap_summary *)replay->summary)->levels.count;
	}
	return heap_calls_follow(&heap->calls, record) &&
	       note_level(replay, record->time_ns);
}

/* ---- the end of a process ---- */

/* If several processes reached the same peak, the last one counts. */
static bool note_peak(struct replay *replay)
{
	const struct process_heap *heap = replay->state;
	struct heap_summary *summary = replay->summary;

	if (heap->peak_bytes == 0 || heap->peak_bytes < summary->heap.peak_bytes)
		return true;
	if (heap->peak_bytes > summary->heap.peak_bytes)
		summary->times.count = 0;
	summary->heap.peak_bytes = heap->peak_bytes;
	summary->heap.peak_expt = replay->member;
	for (size_t i = 0; i < heap->peak.count; i++) {
		uint64_t *time_ns = array_add(&summary->times);

		if (!time_ns)
			return false;
		*time_ns = heap->peak.items[i].time_ns;
	}
	return true;
}

static bool finish(struct replay *replay)
{
	struct process_heap *heap = replay->state;
	struct heap_summary *summary = replay->summary;
	const struct blocks *blocks = &heap->calls.blocks;
	const struct mappings *mappings = &heap->calls.mappings;
	bool is_good = note_peak(replay);

	for (size_t i = 0; i < blocks->capacity; i++)
		if (blocks->slots[i].is_used && blocks->slots[i].size > 0 &&
		    blocks->slots[i].stack != REPLAY_DROPPED)
			add_size(&summary->heap.leaked, blocks->slots[i].size);
	for (size_t i = 0; i < mappings->all.count; i++)
		if (mappings->all.items[i].bytes > 0 &&
		    mappings->all.items[i].stack != REPLAY_DROPPED)
			add_size(&summary->heap.leaked, mappings->all.items[i].bytes);
	array_release(&heap->peak);
	heap_calls_release(&heap->calls);
	return is_good;
}

static void release_summary(void *memory)
{
	struct heap_summary *summary = memory;

	array_release(&summary->times);
	array_release(&summary->levels);
}

const struct data_kind heap_kind = {
	.data = EXPT_HEAP,
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(*metrics),
	.offers = offers,
	.follow = follow,
	.finish = finish,
	.find = heap_words_find,
	.forget = heap_words_free,
	.release_summary = release_summary,
	.state_size = sizeof(struct process_heap),
	.summary_size = sizeof(struct heap_summary),
};
