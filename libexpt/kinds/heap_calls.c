/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/kinds/heap_calls.h"

#include "libexpt/base/idmap.h"

struct heap_call heap_call_read(const struct expt_record *record)
{
	int64_t what = EXPT_HEAP_ALLOCATE, address = 0, size = 0, old_address = 0;

	expt_record_value(record, EXPT_HTYPE, &what);
	expt_record_value(record, EXPT_HVADDR, &address);
	expt_record_value(record, EXPT_HSIZE, &size);
	expt_record_value(record, EXPT_HOVADDR, &old_address);
	return (struct heap_call){ what, (uint64_t)address, (uint64_t)size,
				   (uint64_t)old_address };
}

/* A failed realloc has freed nothing; gprofng treats it as a free. */
bool heap_call_frees_old(const struct heap_call *call)
{
	return call->what == EXPT_HEAP_REALLOCATE && call->old_address != 0 &&
	       (call->address != 0 || call->size == 0);
}

uint64_t heap_whole_pages(uint64_t size, uint64_t page_size)
{
	uint64_t page = page_size ? page_size : 4096;
	uint64_t rest = size % page;

	return rest > 0 && size <= UINT64_MAX - page ? size + page - rest : size;
}

static void free_block(struct heap_calls *calls, uint64_t address)
{
	struct block block;

	if (blocks_take(&calls->blocks, address, &block))
		calls->effects->release(calls->context, block.stack, block.size, true);
}

static void release_part(void *context, const struct mapping *mapping, uint64_t bytes)
{
	const struct heap_calls *calls = context;

	calls->effects->release(calls->context, mapping->stack, bytes,
				mapping->bytes == 0);
}

static bool unmap(struct heap_calls *calls, uint64_t address, uint64_t size)
{
	return mappings_cut(&calls->mappings, address,
			    heap_whole_pages(size, calls->page_size), release_part,
			    calls);
}

static bool map(struct heap_calls *calls, const struct heap_call *call, uint32_t number)
{
	return mappings_cut(&calls->mappings, call->address, call->size, release_part,
			    calls) &&
	       mappings_add(&calls->mappings, call->address, call->size, number);
}

/* If a block is known at the address, its free was not recorded: keep it, and count the
 * new one as leaked. The next free there belongs to the old one, as in gprofng. */
static bool add_block(struct heap_calls *calls, const struct heap_call *call,
		      uint32_t number)
{
	if (blocks_has(&calls->blocks, call->address)) {
		calls->effects->lose(calls->context, number, call->size);
		return true;
	}
	return blocks_add(&calls->blocks, call->address, call->size, number);
}

static bool allocate(struct heap_calls *calls, const struct expt_record *record,
		     const struct heap_call *call)
{
	uint32_t number = calls->effects->number(calls->context, record);
	bool is_good = number != IDMAP_NONE;

	if (is_good && call->what == EXPT_HEAP_MAP)
		is_good = map(calls, call, number);
	else if (is_good)
		is_good = add_block(calls, call, number);
	return is_good && calls->effects->allocate(calls->context, number, call->size,
						   record->time_ns);
}

/* Calls of an unknown kind only count as allocations. */
static bool guess(struct heap_calls *calls, const struct expt_record *record,
		  const struct heap_call *call)
{
	uint32_t number = calls->effects->number(calls->context, record);

	return number != IDMAP_NONE &&
	       calls->effects->guess(calls->context, number, call->size);
}

bool heap_calls_follow(struct heap_calls *calls, const struct expt_record *record)
{
	struct heap_call call = heap_call_read(record);

	switch (call.what) {
	case EXPT_HEAP_FREE:
		free_block(calls, call.address);
		return true;
	case EXPT_HEAP_UNMAP:
		return unmap(calls, call.address, call.size);
	case EXPT_HEAP_REALLOCATE:
		if (heap_call_frees_old(&call))
			free_block(calls, call.old_address);
		break;
	default:
		break;
	}
	if (call.address == 0)
		return true;
	if (call.what < EXPT_HEAP_ALLOCATE || call.what > EXPT_HEAP_UNMAP)
		return guess(calls, record, &call);
	return allocate(calls, record, &call);
}

void heap_calls_release(struct heap_calls *calls)
{
	blocks_release(&calls->blocks);
	mappings_release(&calls->mappings);
}
