/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of memory are those of the globals, and the classes of heap blocks. A quarter
 * of all choices go to all parts alike, so that none is forgotten; the others go where
 * most was accessed. Threads share what is learned, without locks: a value that is lost
 * is learned again.
 */

#include "collector/watch/cells.h"

#include <stdatomic.h>

#include "collector/watch/globals.h"

#define PARTS (WATCH_GLOBALS_MAX + WATCH_CLASSES)

#define EQUAL_SHARE 0.25
/* How much a choice counts for the mean of its part. */
#define NEWS (1.0 / 16)

/* A byte is watched for as long as it takes until it is accessed so often, at least that
 * long: a trap takes some 10 us in a virtual machine. */
#define ACCESSES_WANTED 1
#define SPAN_MIN_NS	UINT64_C(100000)

static struct {
	_Atomic double weight; /* bytes accessed in a period */
	_Atomic double rate;   /* accesses to a byte in a nanosecond */
} parts[PARTS];

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Returns a number of 0 to below 1. */
static double next_fraction(uint64_t *state)
{
	return (double)(next_random(state) >> 11) / (double)(UINT64_C(1) << 53);
}

static bool has_memory(size_t part, size_t globals)
{
	return part < WATCH_GLOBALS_MAX
		       ? part < globals && watch_globals_at(part).size > 0
		       : watch_blocks_are_known &&
				 watch_blocks_has((unsigned)(part - WATCH_GLOBALS_MAX));
}

/* The chances of all parts, without a table of them: handlers may have little stack. */
struct chances {
	size_t globals;
	double weights;	 /* of all parts */
	double equal[2]; /* the chance of a part without a weight, in each kind */
};

/* Globals and blocks get equal shares, however many parts they have. */
static unsigned kind_of(size_t part)
{
	return part >= WATCH_GLOBALS_MAX;
}

static double weight_of(size_t part)
{
	return atomic_load_explicit(&parts[part].weight, memory_order_relaxed);
}

static struct chances find_chances(size_t globals)
{
	struct chances chances = { .globals = globals };
	double counts[2] = { 0 };
	double share;

	for (size_t i = 0; i < PARTS; i++) {
		if (!has_memory(i, globals))
			continue;
		chances.weights += weight_of(i);
		counts[kind_of(i)]++;
	}
	share = chances.weights > 0 ? EQUAL_SHARE : 1;
	if (counts[0] > 0 && counts[1] > 0)
		share /= 2;
	for (int i = 0; i < 2; i++)
		chances.equal[i] = counts[i] > 0 ? share / counts[i] : 0;
	return chances;
}

static double chance_of(const struct chances *chances, size_t part)
{
	if (!has_memory(part, chances->globals))
		return 0;
	return chances->equal[kind_of(part)] +
	       (chances->weights > 0
			? weight_of(part) / chances->weights * (1 - EQUAL_SHARE)
			: 0);
}

/* Returns PARTS if there is nothing to choose from. */
static size_t choose_part(double *chance, const struct chances *chances, uint64_t *random)
{
	double at = next_fraction(random);
	size_t last = PARTS;

	for (size_t i = 0; i < PARTS; i++) {
		double here = chance_of(chances, i);

		if (here <= 0)
			continue;
		last = i;
		*chance = here;
		if (at < here)
			break;
		at -= here;
	}
	return last;
}

static bool choose_byte(struct watch_cell *cell, uint64_t *random)
{
	struct watch_range range;

	cell->is_in_block = cell->part >= WATCH_GLOBALS_MAX;
	if (cell->is_in_block) {
		if (!watch_blocks_choose(&cell->block,
					 (unsigned)(cell->part - WATCH_GLOBALS_MAX),
					 next_random(random)))
			return false;
		range = (struct watch_range){ cell->block.address, cell->block.size };
		cell->bytes = (double)range.size * (double)cell->block.share;
	} else {
		range = watch_globals_at(cell->part);
		if (range.size == 0)
			return false;
		cell->bytes = (double)range.size;
	}
	cell->address = range.address + next_random(random) % range.size;
	return true;
}

bool watch_cell_choose(struct watch_cell *cell, uint64_t *random, uint64_t period_ns)
{
	struct chances chances = find_chances(watch_globals_count(&cell->version));
	double rate;

	cell->part = choose_part(&cell->chance, &chances, random);
	if (cell->part == PARTS || !choose_byte(cell, random))
		return false;
	rate = atomic_load_explicit(&parts[cell->part].rate, memory_order_relaxed);
	cell->span_ns = period_ns;
	if (rate * (double)period_ns > ACCESSES_WANTED)
		cell->span_ns = (uint64_t)(ACCESSES_WANTED / rate);
	if (cell->span_ns < SPAN_MIN_NS)
		cell->span_ns = SPAN_MIN_NS;
	return true;
}

static void move_mean(_Atomic double *mean, double value)
{
	double old = atomic_load(mean);

	atomic_store(mean, old + (value - old) * NEWS);
}

void watch_cell_learn(const struct watch_cell *cell, unsigned accesses,
		      uint64_t watched_ns, double bytes)
{
	double rate = watched_ns > 0 ? (double)accesses / (double)watched_ns : 0;
	unsigned version;

	watch_globals_count(&version);
	if (version != cell->version && !cell->is_in_block)
		return;
	move_mean(&parts[cell->part].weight, bytes);
	move_mean(&parts[cell->part].rate, rate);
}

bool watch_cell_is_there(const struct watch_cell *cell)
{
	return !cell->is_in_block || watch_block_is_there(&cell->block);
}
