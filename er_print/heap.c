/* SPDX-License-Identifier: Apache-2.0 */
/* Heap tracing: allocations and frees of a process, in the order of time. Memory not
 * freed at its end is leaked, at the call stack that allocated it. */
#include "er_print/heap.h"

#include "er_print/blocks.h"
#include "er_print/stack_sums.h"
#include "libexpt/base/array.h"
#include "libexpt/base/idmap.h"

static const struct metric metrics[] = {
	[HEAP_ALLOCATED_BYTES] = { "heapallocbytes", "Bytes Allocated", "Bytes Allocated",
				   METRIC_COUNT },
	[HEAP_ALLOCATIONS] = { "heapalloccnt", "Allocations", "Allocations",
			       METRIC_COUNT },
	[HEAP_LEAKED_BYTES] = { "heapleakbytes", "Bytes Leaked", "Bytes Leaked",
				METRIC_COUNT },
	[HEAP_LEAKS] = { "heapleakcnt", "Leaks", "Leaks", METRIC_COUNT },
};

static bool offers(const struct expt *expt, const struct metric *metric)
{
	return expt_has_data(expt, EXPT_HEAP);
}

/* Memory that a process has at a given time. */
struct process_heap {
	struct blocks blocks;
	struct mappings mappings;
	uint64_t bytes;
	struct heap_peak peak;
};

/* ---- sums ---- */

static void add_size(struct heap_sizes *sizes, uint64_t size)
{
	sizes->ranges[heap_range(size)]++;
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
	replay_add(replay, stack, HEAP_LEAKED_BYTES, as_value(size));
	replay_add(replay, stack, HEAP_LEAKS, size > 0);
}

static void count_freed(struct replay *replay, uint32_t stack, uint64_t size,
			bool is_last)
{
	struct process_heap *heap = replay->state;

	replay_add(replay, stack, HEAP_LEAKED_BYTES, -as_value(size));
	replay_add(replay, stack, HEAP_LEAKS, -(int64_t)(is_last && size > 0));
	heap->bytes -= size;
}

static void count_gone(void *replay, const struct mapping *mapping, uint64_t bytes)
{
	count_freed(replay, mapping->stack, bytes, mapping->bytes == 0);
}

static bool note_moment(struct heap_peak *peak, uint32_t stack, uint64_t time_ns)
{
	struct heap_moment *moment;

	for (size_t i = 0; i < peak->moments.count; i++)
		if (peak->moments.items[i].stack == stack)
			return true;
	moment = array_add(&peak->moments);
	if (moment)
		*moment = (struct heap_moment){ time_ns, stack };
	return moment;
}

static bool count_allocated(struct replay *replay, uint32_t stack, uint64_t size,
			    uint64_t time_ns)
{
	struct process_heap *heap = replay->state;
	struct heap_summary *summary = replay->summary;

	replay_add(replay, stack, HEAP_ALLOCATIONS, 1);
	replay_add(replay, stack, HEAP_ALLOCATED_BYTES, as_value(size));
	count_leak(replay, stack, size);
	add_size(&summary->allocated, size);
	heap->bytes += size;
	if (heap->bytes == 0 || heap->bytes < heap->peak.bytes)
		return true;
	if (heap->bytes > heap->peak.bytes)
		heap->peak.moments.count = 0;
	heap->peak.bytes = heap->bytes;
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
	const struct expt *expt = replay->session->members.items[replay->member].expt;
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
		if (call->size > 0)
			add_size(&summary->leaked, call->size);
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
	replay_add(replay, stack, HEAP_ALLOCATIONS, 1);
	replay_add(replay, stack, HEAP_ALLOCATED_BYTES, as_value(call->size));
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

static bool note_peak(struct replay *replay)
{
	const struct heap_peak *peak =
		&((const struct process_heap *)replay->state)->peak;
	struct heap_summary *summary = replay->summary;

	if (peak->bytes == 0 || peak->bytes < summary->peak.bytes)
		return true;
	if (peak->bytes > summary->peak.bytes)
		summary->peak.moments.count = 0;
	summary->peak.bytes = peak->bytes;
	summary->peak_member = replay->member;
	for (size_t i = 0; i < peak->moments.count; i++) {
		struct heap_moment *moment = array_add(&summary->peak.moments);

		if (!moment)
			return false;
		*moment = peak->moments.items[i];
	}
	return true;
}

static bool finish(struct replay *replay)
{
	struct process_heap *heap = replay->state;
	struct heap_summary *summary = replay->summary;
	bool is_good = note_peak(replay);

	for (size_t i = 0; i < heap->blocks.capacity; i++)
		if (heap->blocks.slots[i].is_used && heap->blocks.slots[i].size > 0)
			add_size(&summary->leaked, heap->blocks.slots[i].size);
	for (size_t i = 0; i < heap->mappings.all.count; i++)
		if (heap->mappings.all.items[i].bytes > 0)
			add_size(&summary->leaked, heap->mappings.all.items[i].bytes);
	array_release(&heap->peak.moments);
	blocks_release(&heap->blocks);
	mappings_release(&heap->mappings);
	return is_good;
}

static void release_summary(void *memory)
{
	struct heap_summary *summary = memory;

	array_release(&summary->peak.moments);
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

bool heap_is_there(const struct session *session)
{
	for (size_t i = 0; i < session->members.count; i++)
		if (expt_has_data(session->members.items[i].expt, EXPT_HEAP))
			return true;
	return false;
}

int heap_report_none(struct session *session, const char *before)
{
	fprintf(session->out,
		"%sHeap trace information was not requested when recording "
		"experiments\n\n",
		before);
	return 0;
}
