/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/walk.h"

#include "libexpt/types/members.h"
#include "libexpt/types/open.h"

/* Members at a place: more is hostile. */
#define EXAMINED_MAX 2000
/* Members that may have a pointer: more is hostile. */
#define LOOKS_MAX    200
#define POINTER_SIZE 8
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

/* Whether a variant has something at an offset. */
static bool has_data(struct types *types, const struct type_member *variant,
		     uint64_t offset)
{
	const struct type_member *members;
	size_t count, first;

	if (!variant->type || variant->type->kind != TYPE_AGGREGATE)
		return true;
	count = type_members(types, variant->type, &members);
	offset -= variant->offset;
	first = first_member(members, count, offset);
	for (size_t i = first; i < count && members[i].offset <= offset; i++) {
		types_spend(types, 4);
		if (offset - members[i].offset < members[i].size ||
		    i - first == EMPTY_MAX)
			return true;
	}
	return false;
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
		if (member->is_variant && in < member->size) {
			if (!has_data(types, member, offset))
				continue;
			if (found)
				return NULL; /* either may be there */
			found = member;
			continue;
		}
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

/* ---- pointers ---------------------------------------------------------------------- */

struct pointers {
	struct types *types;
	const struct type *only;
	bool is_unclear;
	unsigned looks;
};

static void add_scalar(struct pointers *pointers, const struct type *type,
		       uint64_t offset)
{
	bool is_pointer = type->kind == TYPE_POINTER || type->is_described;

	if (!is_pointer && (type->is_floating || type->size < POINTER_SIZE))
		return;
	if (!is_pointer || offset != 0 || (pointers->only && pointers->only != type))
		pointers->is_unclear = true;
	pointers->only = type;
}

static void add_pointers(struct pointers *pointers, const struct type *type,
			 uint64_t offset)
{
	const struct type_member *members;
	size_t count;

	while (type && type->kind == TYPE_ARRAY && type->target &&
	       type->target->size > 0 && !type->is_described) {
		offset %= type->target->size;
		type = type->target;
	}
	if (!type || pointers->looks == 0) {
		pointers->is_unclear = true;
		return;
	}
	if (type->kind != TYPE_AGGREGATE) {
		add_scalar(pointers, type, offset);
		return;
	}
	count = type_members(pointers->types, type, &members);
	for (size_t i = first_member(members, count, offset);
	     i < count && members[i].offset <= offset && pointers->looks > 0; i++) {
		const struct type_member *member = &members[i];

		pointers->looks--;
		if (!member->is_bit_field && !member->is_selector &&
		    offset - member->offset < member->size)
			add_pointers(pointers, member->type, offset - member->offset);
	}
	pointers->is_unclear |= pointers->looks == 0;
}

const struct type *walk_pointer(struct types *types, const struct type *type,
				uint64_t offset)
{
	struct pointers pointers = { .types = types, .looks = LOOKS_MAX };

	add_pointers(&pointers, type, offset);
	types_spend(types, LOOKS_MAX - pointers.looks);
	return pointers.is_unclear ? NULL : pointers.only;
}

/* ---- steps ------------------------------------------------------------------------- */

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

/* ---- base classes ------------------------------------------------------------------ */

/* Returns whether objects of a type begin with one of the other. */
static bool begins_with(const struct walk *walk, const struct type *type,
			const struct type *part)
{
	if (type == part)
		return true;
	for (size_t i = 0; i < walk->count && walk->steps[i].offset == 0; i++)
		if (walk->steps[i].type == part)
			return true;
	return false;
}

const struct type *walk_common(struct types *types, const struct type *one,
			       const struct type *other)
{
	struct walk ones = { .count = 0 }, others = { .count = 0 };

	walk_down(&ones, types, one, 0, 1);
	walk_down(&others, types, other, 0, 1);
	if (begins_with(&others, other, one))
		return one->kind == TYPE_AGGREGATE ? one : NULL;
	for (size_t i = 0; i < ones.count && ones.steps[i].offset == 0; i++) {
		const struct type *part = ones.steps[i].type;

		if (!part || part->kind != TYPE_AGGREGATE)
			break;
		if (begins_with(&others, other, part))
			return part;
	}
	return NULL;
}
