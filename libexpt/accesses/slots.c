/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/slots.h"

struct value slots_get(const struct state *state, int64_t offset)
{
	for (size_t i = 0; i < SLOTS; i++)
		if (state->slots[i].value.kind != VALUE_UNSEEN &&
		    state->slots[i].offset == offset)
			return state->slots[i].value;
	return value_any();
}

void slots_forget(struct state *state, int64_t offset, unsigned width)
{
	for (size_t i = 0; i < SLOTS; i++) {
		struct slot *slot = &state->slots[i];

		/* The difference of the offsets, which may be any, is above -WORD_SIZE
		 * and below the width. */
		if ((uint64_t)slot->offset - (uint64_t)offset + WORD_SIZE - 1 <
		    (uint64_t)width + WORD_SIZE - 1)
			*slot = (struct slot){ .value.kind = VALUE_UNSEEN };
	}
}

void slots_set(struct state *state, int64_t offset, const struct value *value)
{
	slots_forget(state, offset, WORD_SIZE);
	if (value->kind <= VALUE_ANY)
		return;
	for (size_t i = 0; i < SLOTS; i++)
		if (state->slots[i].value.kind == VALUE_UNSEEN) {
			state->slots[i] = (struct slot){ offset, *value };
			return;
		}
}
