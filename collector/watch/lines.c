/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/watch/lines.h"

#include "collector/unwind/x86_64.h"
#include "libexpt/format.h"

#define COUNT	  (sizeof(((struct watch_lines *)0)->items) / sizeof(struct watch_line))
#define REGISTERS 16

/* Half of the choices go to all lines alike, the others where most was accessed. */
#define EQUAL_SHARE 0.5
/* A line is tried so often before another one may take its place. */
#define TRIES 2

static bool is_eligible(const struct watch_line *line)
{
	return line->address != 0 && !line->is_new;
}

bool watch_lines_are_there(const struct watch_lines *lines)
{
	for (size_t i = 0; i < COUNT; i++)
		if (is_eligible(&lines->items[i]))
			return true;
	return false;
}

static uint64_t line_of(uint64_t address)
{
	return address & ~(uint64_t)(WATCH_LINE_SIZE - 1);
}

bool watch_lines_have(const struct watch_lines *lines, uint64_t address)
{
	for (size_t i = 0; i < COUNT; i++)
		if (is_eligible(&lines->items[i]) &&
		    lines->items[i].address == line_of(address))
			return true;
	return false;
}

const struct watch_line *watch_lines_choose(const struct watch_lines *lines,
					    double fraction, double *chance)
{
	const struct watch_line *last = NULL;
	double weights = 0, count = 0, equal;

	for (size_t i = 0; i < COUNT; i++) {
		if (!is_eligible(&lines->items[i]))
			continue;
		weights += lines->items[i].weight;
		count++;
	}
	equal = (weights > 0 ? EQUAL_SHARE : 1) / count;
	for (size_t i = 0; i < COUNT; i++) {
		const struct watch_line *line = &lines->items[i];

		if (!is_eligible(line))
			continue;
		last = line;
		*chance = equal;
		if (weights > 0)
			*chance += (1 - EQUAL_SHARE) * line->weight / weights;
		if (fraction < *chance)
			break;
		fraction -= *chance;
	}
	return last;
}

/* ---- renewal ---- */

static bool is_known(const struct watch_lines *lines, uint64_t line)
{
	for (size_t i = 0; i < COUNT; i++)
		if (lines->items[i].address == line)
			return true;
	return false;
}

/* A number that is no address does no harm: the line is never accessed. */
static bool is_address(uint64_t value, const struct unwind_bounds *stack)
{
	return value >= EXPT_ADDRESS_CODES * WATCH_LINE_SIZE &&
	       value < UINT64_C(1) << 47 && (value < stack->low || value >= stack->high);
}

/* Returns NULL if all are still to be tried. */
static struct watch_line *find_least(struct watch_lines *lines)
{
	struct watch_line *least = NULL;

	for (size_t i = 0; i < COUNT; i++) {
		struct watch_line *line = &lines->items[i];

		if (line->address == 0)
			return line;
		if (line->choices >= TRIES && (!least || line->weight < least->weight))
			least = line;
	}
	return least;
}

void watch_lines_renew(struct watch_lines *lines, const struct registers *registers,
		       const struct unwind_bounds *stack, uint64_t random)
{
	struct watch_line *least;

	for (size_t i = 0; i < COUNT; i++)
		lines->items[i].is_new = false;
	least = find_least(lines);
	for (size_t i = 0; i < REGISTERS && least; i++) {
		uint64_t value = registers->value[(random + i) % REGISTERS];

		if (!is_address(value, stack) || is_known(lines, line_of(value)))
			continue;
		*least = (struct watch_line){ .address = line_of(value), .is_new = true };
		break;
	}
}
