/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/kinds/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"

#define FIRST_CAPACITY 1024
#define FACTOR	       UINT64_C(0x9E3779B97F4A7C15)

/* ---- blocks ---- */

static size_t home_of(const struct blocks *blocks, uint64_t address)
{
	return (size_t)((address >> 4) * FACTOR >> 20) & (blocks->capacity - 1);
}

/* Returns the slot of the address, or the free one where it belongs. */
static size_t find(const struct blocks *blocks, uint64_t address)
{
	size_t i = home_of(blocks, address);

	while (blocks->slots[i].is_used && blocks->slots[i].address != address)
		i = (i + 1) & (blocks->capacity - 1);
	return i;
}

static bool make_room(struct blocks *blocks)
{
	struct blocks old = *blocks;

	if (blocks->count * 4 < blocks->capacity * 3)
		return true;
	blocks->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
	blocks->slots = array_zeroed(blocks->capacity, sizeof(*blocks->slots));
	if (!blocks->slots) {
		*blocks = old;
		return false;
	}
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].is_used)
			blocks->slots[find(blocks, old.slots[i].address)] = old.slots[i];
	free(old.slots);
	return true;
}

bool blocks_has(const struct blocks *blocks, uint64_t address)
{
	return blocks->count > 0 && blocks->slots[find(blocks, address)].is_used;
}

bool blocks_add(struct blocks *blocks, uint64_t address, uint64_t size, uint32_t stack)
{
	struct block *slot;

	if (!make_room(blocks))
		return false;
	slot = &blocks->slots[find(blocks, address)];
	blocks->count++;
	*slot = (struct block){
		.address = address, .size = size, .stack = stack, .is_used = true
	};
	return true;
}

/* Check whether the block in slot i, on its way from home, has passed the free slot. */
static bool has_passed(const struct blocks *blocks, size_t i, size_t free_slot)
{
	size_t mask = blocks->capacity - 1;
	size_t home = home_of(blocks, blocks->slots[i].address);

	return ((i - home) & mask) >= ((i - free_slot) & mask);
}

bool blocks_take(struct blocks *blocks, uint64_t address, struct block *taken)
{
	size_t i, mask = blocks->capacity - 1, free_slot;

	if (blocks->count == 0)
		return false;
	free_slot = find(blocks, address);
	if (!blocks->slots[free_slot].is_used)
		return false;
	*taken = blocks->slots[free_slot];
	for (i = (free_slot + 1) & mask; blocks->slots[i].is_used; i = (i + 1) & mask)
		if (has_passed(blocks, i, free_slot)) {
			blocks->slots[free_slot] = blocks->slots[i];
			free_slot = i;
		}
	blocks->slots[free_slot].is_used = false;
	blocks->count--;
	return true;
}

void blocks_release(struct blocks *blocks)
{
	free(blocks->slots);
	*blocks = (struct blocks){ 0 };
}

/* ---- mappings ---- */

static uint64_t end_of(uint64_t start, uint64_t size)
{
	return size > UINT64_MAX - start ? UINT64_MAX : start + size;
}

/* Returns the first extent that ends after the address. */
static size_t first_after(const struct mappings *mappings, uint64_t address)
{
	size_t low = 0, high = mappings->extents.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (mappings->extents.items[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool insert(struct mappings *mappings, size_t at, struct extent extent)
{
	struct extent *items;

	if (!array_add(&mappings->extents))
		return false;
	items = mappings->extents.items + at;
	memmove(items + 1, items, (mappings->extents.count - 1 - at) * sizeof(*items));
	*items = extent;
	return true;
}

bool mappings_add(struct mappings *mappings, uint64_t start, uint64_t size,
		  uint32_t stack)
{
	uint64_t end = end_of(start, size);
	struct mapping *mapping;

	if (end == start)
		return true;
	mapping = array_add(&mappings->all);
	if (!mapping)
		return false;
	*mapping = (struct mapping){ .bytes = end - start, .stack = stack };
	return insert(mappings, first_after(mappings, start),
		      (struct extent){ start, end, (uint32_t)(mappings->all.count - 1) });
}

static void lose(struct mappings *mappings, const struct extent *extent, uint64_t bytes,
		 mapping_gone gone, void *context)
{
	struct mapping *mapping = &mappings->all.items[extent->mapping];

	mapping->bytes -= bytes;
	gone(context, mapping, bytes);
}

/* Drop the empty extents among those from first to end. */
static void drop_empty(struct mappings *mappings, size_t first, size_t end)
{
	struct extent *items = mappings->extents.items;
	size_t to = first;

	for (size_t from = first; from < end; from++)
		if (items[from].start < items[from].end)
			items[to++] = items[from];
	if (to < end)
		memmove(items + to, items + end,
			(mappings->extents.count - end) * sizeof(*items));
	mappings->extents.count -= end - to;
}

bool mappings_cut(struct mappings *mappings, uint64_t start, uint64_t size,
		  mapping_gone gone, void *context)
{
	uint64_t end = end_of(start, size);
	size_t first = first_after(mappings, start), i = first;

	for (; i < mappings->extents.count && mappings->extents.items[i].start < end;
	     i++) {
		struct extent *extent = &mappings->extents.items[i], whole = *extent;
		uint64_t low = whole.start > start ? whole.start : start;
		uint64_t high = whole.end < end ? whole.end : end;

		if (low >= high)
			continue;
		lose(mappings, &whole, high - low, gone, context);
		/* The rest below keeps its place; the rest above may need a new one. */
		extent->end = low;
		if (whole.end == high)
			continue;
		if (whole.start == low) {
			extent->start = high;
			extent->end = whole.end;
		} else if (!insert(mappings, i + 1,
				   (struct extent){ high, whole.end, whole.mapping })) {
			return false;
		}
	}
	drop_empty(mappings, first, i);
	return true;
}

void mappings_release(struct mappings *mappings)
{
	array_release(&mappings->extents);
	array_release(&mappings->all);
}
