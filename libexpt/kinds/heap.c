/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing: allocations and frees of a process, in the order of time. Memory not
 * freed at its end is leaked, at the call stack that allocated it. */
#include "libexpt/kinds/heap.h"

#include "libexpt/base/array.h"
#include "libexpt/base/idmap.h"
#include "libexpt/events/stack_sums.h"
#include "libexpt/kinds/blocks.h"

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
	struct blocks blocks;
	struct mappings mappings;
	uint64_t bytes;
	uint64_t peak_bytes;
	struct moments peak; /* once for each call stack that reached it */
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
	add_saturated(&sizes->bytes, size > INT64_MAX ? INT64_MAX : (int64_t)size);
}

static int64_t as_value(uint64_t size)
{
	return size > INT64_MAX ? INT64_MAX : (int64_t)size;
}

static void count_leak(struct replay *replay, uint32_t stack, uint64_t size)
{
	replay_add(replay, stack, EXPT_LEAKED_BYTES, as_value(size));
	replay_add(replay, stack, EXPT_LEAKS, size > 0);
}

static void count_freed(struct replay *replay, uint32_t stack, uint64_t size,
			bool is_last)
{
	struct process_heap *heap = replay->state;

	replay_add(replay, stack, EXPT_LEAKED_BYTES, -as_value(size));
	replay_add(replay, stack, EXPT_LEAKS, -(int64_t)(is_last && size > 0));
	if (stack != REPLAY_DROPPED)
		heap->bytes -= size;
}

static void count_gone(void *replay, const struct mapping *mapping, uint64_t bytes)
{
	count_freed(replay, mapping->stack, bytes, mapping->bytes == 0);
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

static bool count_allocated(struct replay *replay, uint32_t stack, uint64_t size,
			    uint64_t time_ns)
{
	struct process_heap *heap = replay->state;
	struct heap_summary *summary = replay->summary;

	if (stack == REPLAY_DROPPED)
		return true;
	replay_add(replay, stack, EXPT_ALLOCATIONS, 1);
	replay_add(replay, stack, EXPT_ALLOCATED_BYTES, as_value(size));
	count_leak(replay, stack, size);
	add_size(&summary->heap.allocated, size);
	heap->bytes += size;
	if (heap->bytes == 0 || heap->bytes < heap->peak_bytes)
		return true;
	if (heap->bytes > heap->peak_bytes)
		heap->peak.count = 0;
	heap->peak_bytes = heap->bytes;
	return note_moment(&heap->peak, stack, time_ns);
}

/* ---- calls ---- */

struct heap_call {
	int64_t what;
	uint64_t address, size, old_address;
};

static struct heap_call read_call(const struct expt_record *record)
{
	int64_t what = EXPT_HEAP_ALLOCATE, address = 0, size = 0, old_address = 0;

	expt_record_value(record, EXPT_HTYPE, &what);
	expt_record_value(record, EXPT_HVADDR, &address);
	expt_record_value(record, EXPT_HSIZE, &size);
	expt_record_value(record, EXPT_HOVADDR, &old_address);
	return (struct heap_call){ what, (uint64_t)address, (uint64_t)size,
				   (uint64_t)old_address };
}

static void free_block(struct replay *replay, uint64_t address)
{
	struct process_heap *heap = replay->state;
	struct block block;

	if (blocks_take(&heap->blocks, address, &block))
		count_freed(replay, block.stack, block.size, true);
}

/* Round up to whole pages as the kernel does; gprofng uses the size requested. */
static bool unmap(struct replay *replay, uint64_t address, uint64_t size)
{
	struct process_heap *heap = replay->state;
	const struct expt *expt = replay->view->members.items[replay->member].expt;
	uint64_t page = expt_info(expt)->page_size ? expt_info(expt)->page_size : 4096;
	uint64_t rest = size % page;

	if (rest > 0 && size <= UINT64_MAX - page)
		size += page - rest;
	return mappings_cut(&heap->mappings, address, size, count_gone, replay);
}

static bool map(struct replay *replay, const struct heap_call *call, uint32_t stack)
{
	struct process_heap *heap = replay->state;

	return mappings_cut(&heap->mappings, call->address, call->size, count_gone,
			    replay) &&
	       mappings_add(&heap->mappings, call->address, call->size, stack);
}

/* If a block is known at the address, its free was not recorded: keep it, and count the
 * new one as leaked. The next free there belongs to the old one, as in gprofng. */
static bool add_block(struct replay *replay, const struct heap_call *call, uint32_t stack)
{
	struct process_heap *heap = replay->state;
	struct heap_summary *summary = replay->summary;

	if (blocks_has(&heap->blocks, call->address)) {
		if (call->size > 0 && stack != REPLAY_DROPPED)
			add_size(&summary->heap.leaked, call->size);
		return true;
	}
	return blocks_add(&heap->blocks, call->address, call->size, stack);
}

static bool allocate(struct replay *replay, const struct expt_record *record,
		     const struct heap_call *call)
{
	uint32_t stack = replay_stack(replay, record);
	bool is_good = stack != IDMAP_NONE;

	if (is_good && call->what == EXPT_HEAP_MAP)
		is_good = map(replay, call, stack);
	else if (is_good)
		is_good = add_block(replay, call, stack);
	return is_good && count_allocated(replay, stack, call->size, record->time_ns);
}

/* Calls of an unknown kind only count as allocations. */
static bool count_unknown(struct replay *replay, const struct expt_record *record,
			  const struct heap_call *call)
{
	uint32_t stack = replay_stack(replay, record);

	if (stack == IDMAP_NONE)
		return false;
	replay_add(replay, stack, EXPT_ALLOCATIONS, 1);
	replay_add(replay, stack, EXPT_ALLOCATED_BYTES, as_value(call->size));
	return true;
}

static bool follow(struct replay *replay, const struct expt_record *record)
{
	struct heap_call call = read_call(record);

	switch (call.what) {
	case EXPT_HEAP_FREE:
		free_block(replay, call.address);
		return true;
	case EXPT_HEAP_UNMAP:
		return unmap(replay, call.address, call.size);
	case EXPT_HEAP_REALLOCATE:
		/* A failed realloc has freed nothing; gprofng treats it as a free. */
		if (call.old_address != 0 && (call.address != 0 || call.size == 0))
			free_block(replay, call.old_address);
		break;
	default:
		break;
	}
	if (call.address == 0)
		return true;
	if (call.what < EXPT_HEAP_ALLOCATE || call.what > EXPT_HEAP_UNMAP)
		return count_unknown(replay, record, &call);
	return allocate(replay, record, &call);
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
	bool is_good = note_peak(replay);

	for (size_t i = 0; i < heap->blocks.capacity; i++)
		if (heap->blocks.slots[i].is_used && heap->blocks.slots[i].size > 0 &&
		    heap->blocks.slots[i].stack != REPLAY_DROPPED)
			add_size(&summary->heap.leaked, heap->blocks.slots[i].size);
	for (size_t i = 0; i < heap->mappings.all.count; i++)
		if (heap->mappings.all.items[i].bytes > 0 &&
		    heap->mappings.all.items[i].stack != REPLAY_DROPPED)
			add_size(&summary->heap.leaked,
				 heap->mappings.all.items[i].bytes);
	array_release(&heap->peak);
	blocks_release(&heap->blocks);
	mappings_release(&heap->mappings);
	return is_good;
}

static void release_summary(void *memory)
{
	struct heap_summary *summary = memory;

	array_release(&summary->times);
}

const struct data_kind heap_kind = {
	.data = EXPT_HEAP,
	.metrics = metrics,
	.metric_count = sizeof(metrics) / sizeof(*metrics),
	.offers = offers,
	.follow = follow,
	.finish = finish,
	.release_summary = release_summary,
	.state_size = sizeof(struct process_heap),
	.summary_size = sizeof(struct heap_summary),
};
