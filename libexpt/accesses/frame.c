/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/frame.h"

#include "libexpt/types/members.h"
#include "libexpt/types/open.h"

/* ---- variables --------------------------------------------------------------------- */

/* Returns the bytes in the frame that belong to a variable. Of descriptors of arrays only
 * the first word is known. */
static uint64_t extent_of(const struct type *type, bool is_indirect)
{
	return is_indirect || type->is_described ? WORD_SIZE : type->size;
}

/* Get where a place begins in the frame; false: it is not there. */
static bool frame_start(int64_t *start, const struct place *place,
			const struct state *state)
{
	const struct value *base;

	*start = place->offset;
	if (place->kind == PLACE_FRAME)
		return true;
	if (place->kind != PLACE_MEMORY || place->number >= REGISTERS)
		return false;
	base = &state->registers[place->number];
	if (base->kind != VALUE_FRAME || base->is_open)
		return false;
	return !__builtin_add_overflow(*start, base->offset, start);
}

/* The address of one variable may be another one: that of what a lambda has captured. */
bool frame_find(struct frame_variable *out, const struct function *function,
		const struct state *state, uint64_t address, int64_t offset)
{
	const struct variables *variables = &function->variables;
	struct variable_search search = variables_search(variables, address);
	const struct variable_place *from;
	bool is_found = false;

	while ((from = variables_next(variables, &search))) {
		bool is_indirect = from->place.is_indirect;
		const struct variable *variable = &variables->list.items[from->variable];
		int64_t start;

		if ((is_found && is_indirect) || from->place.part_size > 0 ||
		    !frame_start(&start, &from->place, state) || offset < start ||
		    (uint64_t)offset - (uint64_t)start >=
			    extent_of(variable->type, is_indirect))
			continue;
		*out = (struct frame_variable){ variable, start, is_indirect };
		is_found = true;
		if (!is_indirect)
			break;
	}
	types_spend(function->types, search.looks);
	return is_found;
}

/* ---- contents ---------------------------------------------------------------------- */

/* Members of all variables: more is hostile. */
#define LOOKS_MAX 1000

struct words {
	struct types *types;
	const struct type *pointer;
	bool has_others;
	unsigned looks;
};

static void add_scalar(struct words *words, const struct type *type, bool is_room)
{
	if (type->kind == TYPE_POINTER) {
		words->has_others |= words->pointer &&
				     words->pointer->target != type->target;
		words->pointer = type;
	} else if (type->is_described || type->kind != TYPE_SCALAR || is_room ||
		   (type->size >= WORD_SIZE && !type->is_floating)) {
		words->has_others = true;
	}
}

/* Arrays of bytes may be room for pointers. */
static void add_words(struct words *words, const struct type *type)
{
	uint64_t size = type ? type->size : 0;
	const struct type_member *members;
	size_t count;

	while (type && type->kind == TYPE_ARRAY && !type->is_described)
		type = type->target;
	if (!type || words->looks == 0 || words->has_others) {
		words->has_others = true;
		return;
	}
	words->looks--;
	if (type->kind != TYPE_AGGREGATE) {
		add_scalar(words, type, type->size == 1 && size >= WORD_SIZE);
		return;
	}
	count = type_members(words->types, type, &members);
	for (size_t i = 0; i < count && !words->has_others; i++)
		add_words(words, members[i].type);
}

static bool is_in_frame(const struct place *place)
{
	return place->kind == PLACE_FRAME || place->kind == PLACE_MEMORY;
}

void frame_contents_make(struct frame_contents *contents, const struct function *function)
{
	const struct variables *variables = &function->variables;
	struct words words = { .types = function->types, .looks = LOOKS_MAX };
	const struct variable *last = NULL;
	bool has_more = false;

	*contents = (struct frame_contents){ .lowest = function->convention->below };
	for (size_t i = 0; i < function->steps.count; i++)
		if (function->steps.items[i].kind == STEP_CALL)
			contents->lowest = 0;
	for (size_t i = 0; i < variables->places.count; i++) {
		const struct variable_place *from = &variables->places.items[i];
		const struct variable *variable = &variables->list.items[from->variable];

		if (!is_in_frame(&from->place) || variable == last)
			continue;
		has_more |= last != NULL;
		last = variable;
		words.has_others |= from->place.is_indirect;
		add_words(&words, variable->type);
	}
	types_spend(function->types, LOOKS_MAX - words.looks);
	if (variables->is_variadic)
		return;
	contents->only = has_more ? NULL : last;
	contents->pointer = words.has_others ? NULL : words.pointer;
}

/* ---- the rest of the frame --------------------------------------------------------- */

/* Things that follow each other in a frame: one with more is not looked at. */
#define THINGS_MAX 64

/* A thing that has an offset, or the next one. */
struct thing {
	int64_t offset, end, next;
};

static void add_thing(struct thing *thing, int64_t start, uint64_t size)
{
	int64_t end;

	if (size > INT32_MAX || __builtin_add_overflow(start, (int64_t)size, &end))
		return;
	if (start <= thing->offset && end > thing->end)
		thing->end = end;
	if (start > thing->offset && start < thing->next)
		thing->next = start;
}

/* A word with what a register had at the entry which functions must keep. */
static bool is_saved(const struct function *function, const struct value *value)
{
	return value->kind == VALUE_NUMBER && value->multiple == 1 && value->symbol > 0 &&
	       value->symbol <= REGISTERS &&
	       !(function->convention->lost >> (value->symbol - 1) & 1);
}

static void add_things(struct thing *thing, const struct function *function,
		       const struct state *state, uint64_t address)
{
	struct variable_search search = variables_search(&function->variables, address);
	const struct variable_place *from;
	int64_t start;

	while ((from = variables_next(&function->variables, &search))) {
		const struct type *type =
			function->variables.list.items[from->variable].type;

		if (from->place.part_size == 0 &&
		    frame_start(&start, &from->place, state))
			add_thing(thing, start, extent_of(type, from->place.is_indirect));
	}
	types_spend(function->types, search.looks);
	for (size_t i = 0; i < SLOTS; i++)
		if (is_saved(function, &state->slots[i].value))
			add_thing(thing, state->slots[i].offset, WORD_SIZE);
}

bool frame_is_full(const struct function *function, const struct state *state,
		   const struct step *step, uint64_t distance)
{
	const struct convention *convention = function->convention;
	const struct value *top = &state->registers[convention->stack_pointer];
	struct thing thing = { .next = convention->entry };

	if (top->kind != VALUE_FRAME || top->is_open || top->offset < -OFFSET_MAX)
		return false;
	thing.offset = top->offset - function->contents.lowest;
	for (int i = 0; i < THINGS_MAX && thing.offset < convention->entry; i++) {
		thing.end = thing.offset;
		thing.next = convention->entry;
		add_things(&thing, function, state, step->address);
		if (thing.end == thing.offset) {
			if ((uint64_t)(thing.next - thing.offset) > distance)
				return false;
			thing.end = thing.next;
		}
		thing.offset = thing.end;
	}
	return thing.offset >= convention->entry;
}
