/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/facts.h"

#include "libexpt/base/array.h"
#include "libexpt/types/walk.h"

/* Pointers to bytes may point to anything. */
static unsigned rank_of(const struct value *pointer)
{
	if (pointer->type->kind >= TYPE_ARRAY)
		return 2;
	return pointer->type->size != 1;
}

/* Whether an object of one type begins with one of the other: its base class. */
static bool begins_with(struct types *types, const struct type *whole,
			const struct type *part)
{
	struct walk walk = { .count = 0 };

	walk_down(&walk, types, whole, 0, 1);
	for (size_t i = 0; i < walk.count; i++)
		if (walk.steps[i].type == part && walk.steps[i].offset == 0)
			return true;
	return false;
}

static void replace(struct facts *facts, struct fact *fact, const struct value *pointer)
{
	fact->value = *pointer;
	fact->is_contradicted = false;
	facts->is_changed = true;
}

static void compare(struct facts *facts, struct types *types, struct fact *fact,
		    const struct value *pointer)
{
	const struct value *known = &fact->value;

	if (rank_of(pointer) != rank_of(known)) {
		if (rank_of(pointer) > rank_of(known))
			replace(facts, fact, pointer);
		return;
	}
	if (fact->is_contradicted ||
	    (known->type == pointer->type && known->offset == pointer->offset))
		return;
	if (known->offset == 0 && pointer->offset == 0 &&
	    begins_with(types, known->type, pointer->type))
		return;
	if (known->offset == 0 && pointer->offset == 0 &&
	    begins_with(types, pointer->type, known->type)) {
		replace(facts, fact, pointer);
		return;
	}
	fact->is_contradicted = facts->is_changed = true;
}

void facts_note(struct facts *facts, struct types *types, const struct value *value,
		const struct value *pointer)
{
	struct fact *fact;
	uint32_t *slot;

	if (value->kind != VALUE_NUMBER || value->symbol == 0 || value->multiple != 1 ||
	    value->is_count || pointer->kind != VALUE_POINTER || pointer->is_open)
		return;
	slot = idmap_add(&facts->by_symbol, value->symbol);
	if (!slot)
		return;
	if (*slot != IDMAP_NONE) {
		compare(facts, types, &facts->list.items[*slot], pointer);
		return;
	}
	fact = array_add(&facts->list);
	if (!fact)
		return;
	*slot = (uint32_t)facts->list.count - 1;
	replace(facts, fact, pointer);
}

const struct value *facts_find(const struct facts *facts, uint64_t symbol)
{
	uint32_t found = idmap_find(&facts->by_symbol, symbol);

	if (found == IDMAP_NONE || facts->list.items[found].is_contradicted)
		return NULL;
	return &facts->list.items[found].value;
}

void facts_release(struct facts *facts)
{
	array_release(&facts->list);
	idmap_release(&facts->by_symbol);
}
