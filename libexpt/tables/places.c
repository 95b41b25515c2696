/* SPDX-License-Identifier: Apache-2.0 */
/* Places are the same if their functions are the same row and their addresses are equal
 * in the image of the load object, whatever process they are of. */
#include "libexpt/tables/places.h"

#include <string.h>

#include "libexpt/analysis/identity.h"
#include "libexpt/base/array.h"

/* ---- load objects and paths ---- */

/* Returns the number of an object, or IDMAP_NONE. */
static uint32_t number_of_object(struct places *places, const struct expt_object *object)
{
	uint64_t key = identity_key_of_object(places->functions, object);
	uint32_t *slot = idmap_add(&places->object_numbers, key);
	struct expt_object **added;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	added = array_add(&places->objects);
	if (!added)
		return IDMAP_NONE;
	*added = (struct expt_object *)object;
	return *slot = (uint32_t)(places->objects.count - 1);
}

/* Returns a copy of a path: symbols may be released before the tables are. NULL: out of
 * memory. */
static const char *keep_path(struct places *places, const char *path)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, path);
	uint32_t *slot = idmap_add(&places->paths, key);
	const char **added;

	for (; slot && *slot != IDMAP_NONE; slot = idmap_add(&places->paths, key)) {
		if (strcmp(places->path_texts.items[*slot], path) == 0)
			return places->path_texts.items[*slot];
		key = idmap_number_key(key, 1); /* another path has it */
	}
	added = slot ? array_add(&places->path_texts) : NULL;
	if (!added)
		return NULL;
	*slot = (uint32_t)(places->path_texts.count - 1);
	*added = arena_text(&places->texts, path, strlen(path));
	return *added;
}

/* ---- frames ---- */

static bool add_frame(struct places *places, uint32_t function,
		      const struct expt_position *position)
{
	struct expt_table_frame *frame = array_add(&places->frames);

	if (!frame || function == IDMAP_NONE)
		return false;
	frame->function = function;
	if (!position || !position->path || position->line == 0)
		return true;
	frame->path = keep_path(places, position->path);
	frame->line = position->line;
	frame->column = position->column;
	return frame->path;
}

/* Add the frames of a place: of functions inlined there, then of its own. */
static bool add_frames(struct places *places, struct place_entry *entry,
		       const struct expt_place *place)
{
	struct expt_rows *rows = places->functions;
	const struct expt_position *positions = NULL;
	size_t inlined = rows_inlined(rows, place, &positions);
	size_t count = expt_place_positions(place, &positions);

	entry->shown.first_frame = (uint32_t)places->frames.count;
	entry->shown.frame_count = (uint32_t)inlined + 1;
	for (size_t i = 0; i < inlined; i++)
		if (!add_frame(places, rows_of_inlined(rows, &positions[i]),
			       &positions[i]))
			return false;
	if (count == 0)
		return add_frame(places, entry->function, NULL);
	/* Without inlined frames, the line is the innermost one, as in rows by line. */
	return add_frame(places, entry->function,
			 &positions[rows->view->is_inlined ? count - 1 : 0]);
}

/* ---- places ---- */

static bool is_part(const struct places *places, const struct expt_place *place)
{
	return !places->functions->view->is_outlined &&
	       expt_function_whole(place->function) != place->function;
}

uint32_t places_number(struct places *places, const struct expt_place *place)
{
	struct place_entry entry = {
		.shown.address = expt_function_offset(place->function) + place->offset,
		.function = rows_of_place(places->functions, place),
		.is_part = is_part(places, place),
	};
	uint64_t words[2] = { entry.function, entry.shown.address };
	struct place_entry *added;
	uint32_t *slot;

	if (entry.function == IDMAP_NONE)
		return IDMAP_NONE;
	slot = idmap_add(&places->by_key, idmap_key(IDMAP_KEY, words, sizeof(words)));
	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	entry.shown.object =
		number_of_object(places, expt_function_object(place->function));
	added = array_add(&places->all);
	if (!added || entry.shown.object == IDMAP_NONE ||
	    !add_frames(places, &entry, place))
		return IDMAP_NONE;
	*added = entry;
	return *slot = (uint32_t)(places->all.count - 1);
}

uint32_t places_of_pc(struct places *places, const struct stack_sum *stack, uint64_t pc,
		      bool is_leaf)
{
	const struct expt_view *view = places->functions->view;
	struct expt_place place;
	uint32_t *slot;

	if (places->member != stack->member || places->epoch != stack->epoch) {
		idmap_release(&places->by_address);
		places->member = stack->member;
		places->epoch = stack->epoch;
	}
	slot = idmap_add(&places->by_address, pc);
	if (!slot)
		return IDMAP_NONE;
	if (*slot != IDMAP_NONE && *slot != PLACES_STUB)
		return *slot;
	expt_place(view->members.items[stack->member].expt, pc, stack->time_ns, &place);
	if (place.is_plt) {
		*slot = PLACES_STUB;
		return is_leaf ? PLACES_STUB : places_number(places, &place);
	}
	return *slot = places_number(places, &place);
}

uint32_t places_of_row(struct places *places, uint32_t row)
{
	uint64_t words[2] = { row, UINT64_MAX };
	uint32_t *slot =
		idmap_add(&places->by_key, idmap_key(IDMAP_KEY, words, sizeof(words)));
	struct place_entry *added;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	added = array_add(&places->all);
	if (!added)
		return IDMAP_NONE;
	*added = (struct place_entry){
		.shown.object = EXPT_TABLE_NONE,
		.shown.first_frame = (uint32_t)places->frames.count,
		.shown.frame_count = 1,
		.function = row,
	};
	if (!add_frame(places, row, NULL))
		return IDMAP_NONE;
	return *slot = (uint32_t)(places->all.count - 1);
}

void places_release(struct places *places)
{
	array_release(&places->all);
	array_release(&places->frames);
	array_release(&places->objects);
	array_release(&places->path_texts);
	idmap_release(&places->by_key);
	idmap_release(&places->object_numbers);
	idmap_release(&places->paths);
	idmap_release(&places->by_address);
	arena_release(&places->texts);
}
