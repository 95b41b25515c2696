/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table of addresses without locks: an address may be in any slot of its bucket. A
 * bitmap for each class has the slots of its blocks. Most blocks are not in the table: a
 * free of one looks at a single byte of a small array, which tells so.
 */

#include "collector/watch/blocks.h"

#include <stdatomic.h>

#include "collector/base/memory.h"

#define BUCKETS	  1024
#define WAYS	  8
#define SLOTS	  (BUCKETS * WAYS)
#define WORD_BITS 64
#define WORDS	  (SLOTS / WORD_BITS)

/* Blocks of a class that are kept at most. */
#define KEPT_MAX 256

#define FILTER_SIZE 16384

/* Sizes up to this have a class for each step, which are those of malloc(3): objects of
 * one type are hardly ever in one class with those of another. Larger ones have a class
 * for each power of two. */
#define SMALL_MAX  1024
#define SMALL_STEP 16
#define SMALL_BITS 10

struct table {
	_Atomic uint64_t addresses[SLOTS]; /* 0: free */
	_Atomic uint64_t sizes[SLOTS];
	_Atomic uint64_t members[WATCH_CLASSES][WORDS];
	_Atomic uint32_t counts[WATCH_CLASSES];
	_Atomic uint32_t halvings[WATCH_CLASSES];
	_Atomic uint64_t draws;		     /* of random numbers */
	_Atomic uint8_t filter[FILTER_SIZE]; /* how many are in the table, by hash */
};

bool watch_blocks_are_known;

static struct table *table;

/* An operator of C++ and the malloc(3) that it calls make the same block, one after the
 * other. */
static __thread const void *last_made;

bool watch_blocks_open(void)
{
	size_t size = (sizeof(*table) + 4095) / 4096 * 4096;

	table = memory_get_pages(size);
	watch_blocks_are_known = table != NULL;
	return table != NULL;
}

static uint64_t mix(uint64_t number)
{
	number = (number ^ number >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	return number ^ number >> 29;
}

static unsigned class_of(uint64_t size)
{
	unsigned class;

	if (size <= SMALL_MAX)
		return size == 0 ? 0 : (unsigned)((size - 1) / SMALL_STEP);
	class = SMALL_MAX / SMALL_STEP + 63 - (unsigned)__builtin_clzll(size) -
		SMALL_BITS;
	return class < WATCH_CLASSES ? class : WATCH_CLASSES - 1;
}

/* Threads may get the same number. */
static uint64_t draw(void)
{
	uint64_t number = atomic_load_explicit(&table->draws, memory_order_relaxed) + 1;

	atomic_store_explicit(&table->draws, number, memory_order_relaxed);
	return mix(number);
}

static size_t first_slot(uint64_t address)
{
	return mix(address >> 4) % BUCKETS * WAYS;
}

static _Atomic uint8_t *filter_of(uint64_t address)
{
	return &table->filter[(mix(address >> 4) >> 20) % FILTER_SIZE];
}

/* Returns the slot of the address; SLOTS: it is not known. */
static size_t find(uint64_t address)
{
	size_t first = first_slot(address);

	for (size_t slot = first; slot < first + WAYS; slot++)
		if (atomic_load_explicit(&table->addresses[slot], memory_order_relaxed) ==
		    address)
			return slot;
	return SLOTS;
}

static void take_out(size_t slot)
{
	unsigned class = class_of(atomic_load(&table->sizes[slot]));
	uint64_t bit = UINT64_C(1) << slot % WORD_BITS;

	if (atomic_fetch_and(&table->members[class][slot / WORD_BITS], ~bit) & bit)
		atomic_fetch_sub(&table->counts[class], 1);
	atomic_fetch_sub(filter_of(atomic_load(&table->addresses[slot])), 1);
	atomic_store(&table->addresses[slot], 0);
}

void watch_block_gone(const void *address)
{
	size_t slot;

	if (address == last_made)
		last_made = NULL;
	if (atomic_load_explicit(filter_of((uintptr_t)address), memory_order_relaxed) ==
	    0)
		return;
	slot = find((uintptr_t)address);
	if (address && slot < SLOTS)
		take_out(slot);
}

static void halve(unsigned class)
{
	atomic_fetch_add(&table->halvings[class], 1);
	for (size_t i = 0; i < WORDS; i++) {
		uint64_t chosen = atomic_load(&table->members[class][i]) & draw();

		for (; chosen != 0; chosen &= chosen - 1)
			take_out(i * WORD_BITS + (size_t)__builtin_ctzll(chosen));
	}
}

/* Another thread may take a slot at the same time, but not the same address. Until its
 * bit is set the slot is not chosen. */
static void put_in(uint64_t address, uint64_t size, unsigned class)
{
	size_t first = first_slot(address);

	for (size_t slot = first; slot < first + WAYS; slot++) {
		uint64_t none = 0;

		if (!atomic_compare_exchange_strong(&table->addresses[slot], &none,
						    address))
			continue;
		atomic_fetch_add(filter_of(address), 1);
		atomic_store(&table->sizes[slot], size);
		atomic_fetch_or(&table->members[class][slot / WORD_BITS],
				UINT64_C(1) << slot % WORD_BITS);
		if (atomic_fetch_add(&table->counts[class], 1) + 1 >= KEPT_MAX)
			halve(class);
		return;
	}
}

void watch_block_made(const void *address, size_t size)
{
	unsigned class = class_of(size);
	uint32_t halvings =
		atomic_load_explicit(&table->halvings[class], memory_order_relaxed);

	if (!address || size == 0 || address == last_made)
		return;
	last_made = address;
	if (halvings > 0 && (draw() & ((UINT64_C(1) << (halvings & 63)) - 1)) != 0)
		return;
	if (find((uintptr_t)address) == SLOTS)
		put_in((uintptr_t)address, size, class);
}

bool watch_blocks_has(unsigned class)
{
	return atomic_load_explicit(&table->counts[class], memory_order_relaxed) > 0;
}

/* Find the set bit with that number. */
static unsigned bit_of(uint64_t word, unsigned number)
{
	while (number-- > 0)
		word &= word - 1;
	return (unsigned)__builtin_ctzll(word);
}

static size_t count_members(unsigned class)
{
	size_t count = 0;

	for (size_t i = 0; i < WORDS; i++)
		count += (size_t)__builtin_popcountll(atomic_load_explicit(
			&table->members[class][i], memory_order_relaxed));
	return count;
}

/* Returns the slot of the class's block with that number; SLOTS: it has gone. */
static size_t member_slot(unsigned class, size_t number)
{
	for (size_t i = 0; i < WORDS; i++) {
		uint64_t word = atomic_load_explicit(&table->members[class][i],
						     memory_order_relaxed);
		size_t here = (size_t)__builtin_popcountll(word);

		if (number < here)
			return i * WORD_BITS + bit_of(word, (unsigned)number);
		number -= here;
	}
	return SLOTS;
}

bool watch_blocks_choose(struct watch_block *block, unsigned class, uint64_t random)
{
	size_t count = count_members(class);
	size_t slot = count > 0 ? member_slot(class, random % count) : SLOTS;

	if (slot == SLOTS)
		return false;
	*block = (struct watch_block){
		.address = atomic_load(&table->addresses[slot]),
		.size = atomic_load(&table->sizes[slot]),
		.slot = slot,
		.share = count << (atomic_load(&table->halvings[class]) & 63),
	};
	return block->address != 0 && block->size != 0 && class_of(block->size) == class;
}

bool watch_block_is_there(const struct watch_block *block)
{
	return atomic_load(&table->addresses[block->slot]) == block->address;
}
