/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/walk.h"

#include "libexpt/types/members.h"
#include "libexpt/types/open.h"

/* Members at a place: more is hostile. */
#define EXAMINED_MAX 2000
/* Classes in a class that has no members after all. */
#define EMPTY_MAX 40

/* Classes without members share their byte with the member after them, and variants
 * without any all of theirs with another variant. */
static bool is_empty_of(struct types *types, const struct type *type, unsigned *looks)
{
	const struct type_member *members;
	size_t count;

	if (!type || type->kind != TYPE_AGGREGATE || *looks == 0)
		return false;
	--*looks;
	count = type_members(types, type, &members);
	for (size_t i = 0; i < count; i++)
		if (!is_empty_of(types, members[i].type, looks))
			return false;
	return true;
}

static bool is_empty(struct types *types, const struct type *type)
{
	unsigned looks = EMPTY_MAX;

	return is_empty_of(types, type, &looks);
}

/* Returns the index of the first member that may have the byte at an offset, or of the
 * last one, which may be an array of any length. */
static size_t first_member(const struct type_member *members, size_t count,
			   uint64_t offset)
{
	size_t low = 0, high = count - (count > 0);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (members[middle].reach <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the first member with the byte at an offset, or NULL. */
static const struct type_member *find_member(struct types *types, const struct type *type,
					     uint64_t offset, uint64_t size)
{
	const struct type_member *members, *found = NULL;
	size_t count = type_members(types, type, &members);
	size_t first = first_member(members, count, offset);

	for (size_t i = first; i < count && members[i].offset <= offset + size - 1; i++) {
		const struct type_member *member = &members[i];
		uint64_t in = offset - member->offset;

		types_spend(types, 4);
		if (i - first == EXAMINED_MAX)
			return NULL;

		if (member->is_bit_field && member->offset + member->size > offset) {
			if (found)
				return NULL;
			found = member;
			continue;
		}
		if (offset < member->offset)
			break;
		if (is_empty(types, member->type))
			continue;
		/* The last member may be an array of any length. */
		if (!found && (in < member->size ||
			       (member->type && member->type->kind == TYPE_ARRAY &&
				member->size == 0 && i + 1 == count)))
			found = member;
		if (found && !found->is_bit_field)
			return found;
	}
	return found;
}

static bool add_step(struct walk *walk, const struct walk_step *step)
{
	if (walk->count == WALK_MAX)
		return false;
	walk->steps[walk->count++] = *step;
	return true;
}

const struct type *walk_down(struct walk *walk, struct types *types,
			     const struct type *type, uint64_t offset, uint64_t size)
{
	uint64_t start = 0;

	if (size == 0)
		size = 1;
	while (type) {
		struct walk_step step = { .name = "-" };

		if (type->kind == TYPE_ARRAY && type->target && type->target->size > 0 &&
		    !type->is_described && (type->target->size > 1 || size == 1)) {
			uint64_t in = offset % type->target->size;

			step.type = type->target;
			step.size = type->target->size;
			start += offset - in;
			offset = in;
		} else if (type->kind == TYPE_AGGREGATE) {
			const struct type_member *member =
				find_member(types, type, offset, size);

			if (!member)
				return type;
			step.name = member->name;
			step.type = member->type;
			step.size = member->size;
			step.is_bit_field = member->is_bit_field;
			start += member->offset;
			offset = offset > member->offset ? offset - member->offset : 0;
		} else {
			return type;
		}
		step.offset = start;
		if (!add_step(walk, &step))
			return type;
		type = step.type;
	}
	return NULL;
}
