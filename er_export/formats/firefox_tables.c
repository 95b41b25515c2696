/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/formats/firefox_tables.h"

#include <stdlib.h>

#include "libexpt/base/array.h"

/* Returns the own number, which may be new. */
static uint32_t number_of(struct firefox_tables *own, struct own_numbers *numbers,
			  uint32_t of_whole)
{
	struct own_number *slot = &numbers->of_whole[of_whole];
	uint32_t *added;

	if (slot->visit == own->visit)
		return slot->number;
	added = array_add(&numbers->list);
	if (!added) {
		own->is_short = true;
		return 0;
	}
	*added = of_whole;
	*slot = (struct own_number){ own->visit, (uint32_t)(numbers->list.count - 1) };
	return slot->number;
}

static uint32_t add_frame(struct firefox_tables *own, uint32_t number)
{
	const struct expt_table_frame *frame = &own->whole->frames[number];
	const struct expt_table_place *place =
		&own->whole->places[own->place_of_frame[number]];
	uint32_t last = place->first_frame + place->frame_count - 1;

	number_of(own, &own->functions, frame->function);
	own->object_of_function[frame->function] = place->object;
	if (place->object != EXPT_TABLE_NONE) {
		number_of(own, &own->objects, place->object);
		number_of(own, &own->symbols, own->whole->frames[last].function);
	}
	return number_of(own, &own->frames, number);
}

/* Add the frames of a node, from the outermost one on. */
static void add_node(struct firefox_tables *own, uint32_t node, uint32_t prefix)
{
	const struct expt_table_place *place =
		&own->whole->places[own->whole->nodes[node].place];

	for (uint32_t i = place->frame_count; i > 0; i--) {
		uint32_t frame = add_frame(own, place->first_frame + i - 1);
		struct firefox_stack *stack = array_add(&own->stacks);

		if (!stack) {
			own->is_short = true;
			return;
		}
		*stack = (struct firefox_stack){ prefix, frame };
		prefix = (uint32_t)(own->stacks.count - 1);
	}
	own->nodes.of_whole[node] = (struct own_number){ own->visit, prefix };
}

uint32_t firefox_tables_stack(struct firefox_tables *own, uint32_t node)
{
	const struct expt_table_node *nodes = own->whole->nodes;
	size_t count = 0;

	for (; node != 0 && own->nodes.of_whole[node].visit != own->visit;
	     node = nodes[node].parent)
		own->climb[count++] = node;
	for (; count > 0; count--) {
		uint32_t next = own->climb[count - 1];

		add_node(own, next,
			 node ? own->nodes.of_whole[node].number : FIREFOX_NONE);
		node = next;
	}
	return node ? own->nodes.of_whole[node].number : FIREFOX_NONE;
}

uint32_t firefox_tables_number(const struct own_numbers *numbers, uint32_t of_whole)
{
	return numbers->of_whole[of_whole].number;
}

void firefox_tables_begin(struct firefox_tables *own)
{
	own->visit++;
	own->stacks.count = own->frames.list.count = own->functions.list.count = 0;
	own->objects.list.count = own->symbols.list.count = 0;
}

/* ---- memory ---- */

static bool make_numbers(struct own_numbers *numbers, size_t count)
{
	numbers->of_whole = calloc(count + 1, sizeof(*numbers->of_whole));
	return numbers->of_whole;
}

static bool find_places(struct firefox_tables *own)
{
	const struct expt_tables *whole = own->whole;

	own->place_of_frame =
		calloc(whole->frame_count + 1, sizeof(*own->place_of_frame));
	if (!own->place_of_frame)
		return false;
	for (uint32_t i = 0; i < whole->place_count; i++)
		for (uint32_t j = 0; j < whole->places[i].frame_count; j++)
			own->place_of_frame[whole->places[i].first_frame + j] = i;
	return true;
}

bool firefox_tables_make(struct firefox_tables *own, const struct expt_tables *whole)
{
	*own = (struct firefox_tables){ .whole = whole };
	own->climb = calloc(whole->node_count + 1, sizeof(*own->climb));
	own->object_of_function =
		calloc(whole->function_count + 1, sizeof(*own->object_of_function));
	return own->climb && own->object_of_function && find_places(own) &&
	       make_numbers(&own->nodes, whole->node_count) &&
	       make_numbers(&own->frames, whole->frame_count) &&
	       make_numbers(&own->functions, whole->function_count) &&
	       make_numbers(&own->objects, whole->object_count) &&
	       make_numbers(&own->symbols, whole->function_count);
}

static void release_numbers(struct own_numbers *numbers)
{
	free(numbers->of_whole);
	array_release(&numbers->list);
}

void firefox_tables_release(struct firefox_tables *own)
{
	release_numbers(&own->nodes);
	release_numbers(&own->frames);
	release_numbers(&own->functions);
	release_numbers(&own->objects);
	release_numbers(&own->symbols);
	array_release(&own->stacks);
	free(own->place_of_frame);
	free(own->object_of_function);
	free(own->climb);
}
