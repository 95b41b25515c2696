/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of memory are those of the globals, the classes of heap blocks, and the lines
 * at which registers pointed: a byte in such a line does not belong to the other parts. A
 * quarter of all choices go to all parts alike, so that none is forgotten; the others go
 * where most was accessed. Threads share what is learned, without locks: a value that is
 * lost is learned again.
 */

#include "collector/watch/cells.h"

#include <stdatomic.h>

#include "collector/watch/globals.h"

#define LINES (WATCH_GLOBALS_MAX + WATCH_CLASSES)
#define PARTS (LINES + 1)

#define EQUAL_SHARE 0.25
/* How much a choice counts for the mean of its part. */
#define NEWS (1.0 / 16)

/* A byte is watched for as long as it takes until it is accessed so often, at least that
 * long: a trap takes some 10 us in a virtual machine. */
#define ACCESSES_WANTED 1
#define SPAN_MIN_NS	100000

static struct {
	_Atomic double weight; /* bytes accessed in a period */
	_Atomic double rate;   /* accesses to a byte in a nanosecond */
} parts[PARTS];

uint64_t watch_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

/* Returns a number of 0 to below 1. */
static double next_fraction(uint64_t *state)
{
	return (double)(watch_random(state) >> 11) / (double)(UINT64_C(1) << 53);
}

#define KINDS 3

/* The kinds get equal shares, however many parts they have. */
static unsigned kind_of(size_t part)
{
	if (part == LINES)
		return WATCH_LINE;
	return part < WATCH_GLOBALS_MAX ? WATCH_GLOBAL : WATCH_BLOCK;
}

/* The chances of all parts, without a table of them: handlers may have little stack. */
struct chances {
	const struct watch_lines *lines;
	size_t globals;
	double weights;	     /* of all parts */
	double equal[KINDS]; /* the chance of a part without a weight, in each kind */
};

static bool has_memory(const struct chances *chances, size_t part)
{
	switch (kind_of(part)) {
	case WATCH_GLOBAL:
		return part < chances->globals && watch_globals_at(part).size > 0;
	case WATCH_BLOCK:
		return watch_blocks_are_known &&
		       watch_blocks_has((unsigned)(part - WATCH_GLOBALS_MAX));
	default:
		return watch_lines_are_there(chances->lines);
	}
}

static double weight_of(size_t part)
{
	return atomic_load_explicit(&parts[part].weight, memory_order_relaxed);
}

static void find_chances(struct chances *chances)
{
	double counts[KINDS] = { 0 }, kinds = 0;

	for (size_t i = 0; i < PARTS; i++) {
		if (!has_memory(chances, i))
			continue;
		chances->weights += weight_of(i);
		kinds += counts[kind_of(i)] == 0;
		counts[kind_of(i)]++;
	}
	for (int i = 0; i < KINDS; i++)
		if (counts[i] > 0)
			chances->equal[i] = (chances->weights > 0 ? EQUAL_SHARE : 1) /
					    kinds / counts[i];
}

static double chance_of(const struct chances *chances, size_t part)
{
	if (!has_memory(chances, part))
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

static bool choose_in_block(struct watch_cell *cell, uint64_t *random)
{
	if (!watch_blocks_choose(&cell->block, (unsigned)(cell->part - WATCH_GLOBALS_MAX),
				 watch_random(random)))
		return false;
	cell->address = cell->block.address + watch_random(random) % cell->block.size;
	cell->bytes = (double)cell->block.size * (double)cell->block.share;
	return true;
}

static bool choose_global(struct watch_cell *cell, uint64_t *random)
{
	struct watch_range range = watch_globals_at(cell->part);

	if (range.size == 0)
		return false;
	cell->address = range.address + watch_random(random) % range.size;
	cell->bytes = (double)range.size;
	return true;
}

static double choose_in_line(struct watch_cell *cell, const struct watch_lines *lines,
			     uint64_t *random)
{
	double chance;
	const struct watch_line *line =
		watch_lines_choose(lines, next_fraction(random), &chance);

	cell->line = (size_t)(line - lines->items);
	cell->address = line->address + watch_random(random) % WATCH_LINE_SIZE;
	cell->bytes = WATCH_LINE_SIZE / chance;
	return line->rate;
}

static uint64_t span_ns(double rate, uint64_t period_ns)
{
	double span = rate * (double)period_ns > ACCESSES_WANTED ? ACCESSES_WANTED / rate
								 : (double)period_ns;

	return span < SPAN_MIN_NS ? SPAN_MIN_NS : (uint64_t)span;
}

bool watch_cell_choose(struct watch_cell *cell, const struct watch_lines *lines,
		       uint64_t *random, uint64_t period_ns)
{
	struct chances chances = {
		.lines = lines,
		.globals = watch_globals_count(&cell->version),
	};
	double rate;

	find_chances(&chances);
	cell->part = choose_part(&cell->chance, &chances, random);
	if (cell->part == PARTS)
		return false;
	cell->kind = kind_of(cell->part);
	rate = atomic_load_explicit(&parts[cell->part].rate, memory_order_relaxed);
	cell->is_in_line = false;
	if (cell->kind == WATCH_LINE)
		rate = choose_in_line(cell, lines, random);
	else if (cell->kind == WATCH_BLOCK ? !choose_in_block(cell, random)
					   : !choose_global(cell, random))
		return false;
	else
		cell->is_in_line = watch_lines_have(lines, cell->address);
	cell->span_ns = span_ns(rate, period_ns);
	return true;
}

static void move_mean(_Atomic double *mean, double value)
{
	double old = atomic_load(mean);

	atomic_store(mean, old + (value - old) * NEWS);
}

static void learn_line(struct watch_line *line, double rate, double bytes)
{
	line->choices++;
	line->weight += (bytes - line->weight) / (line->choices < 8 ? line->choices : 8);
	line->rate += (rate - line->rate) / (line->choices < 8 ? line->choices : 8);
}

void watch_cell_learn(const struct watch_cell *cell, struct watch_lines *lines,
		      unsigned accesses, uint64_t watched_ns, double bytes)
{
	double rate = watched_ns > 0 ? (double)accesses / (double)watched_ns : 0;
	unsigned version;

	watch_globals_count(&version);
	if (version != cell->version && cell->kind == WATCH_GLOBAL)
		return;
	if (cell->kind == WATCH_LINE)
		learn_line(&lines->items[cell->line], rate,
			   bytes * WATCH_LINE_SIZE / cell->bytes);
	move_mean(&parts[cell->part].weight, bytes);
	move_mean(&parts[cell->part].rate, rate);
}

bool watch_cell_is_there(const struct watch_cell *cell)
{
	return cell->kind != WATCH_BLOCK || watch_block_is_there(&cell->block);
}
