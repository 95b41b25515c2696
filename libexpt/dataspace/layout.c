/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an aggregate in the order of their offsets, with the gaps between
 * them. */
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/dataspace/data_rows.h"
#include "libexpt/types/members.h"

/* Aggregates in aggregates: more is hostile. */
#define DEPTH_MAX   16
#define MEMBERS_MAX 100000
#define TEXTS_MAX   ((size_t)32 << 20)

struct laying {
	struct expt_rows *rows;
	struct types *types;
	struct {
		struct expt_data_member *items;
		size_t count, capacity;
	} members;
	size_t texts; /* bytes that were written */
};

/* Returns the row of a member in a container, or EXPT_ROW_TOTAL. */
static uint32_t find_row(struct laying *laying, uint32_t container,
			 const struct expt_data_member *member, const struct type *type)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	struct row wanted = {
		.datum.container = container,
		.datum.offset = member->offset,
		.datum.size = member->size,
		.type = type,
	};
	uint32_t found;

	if (container == EXPT_ROW_TOTAL)
		return EXPT_ROW_TOTAL;
	strbuf_add_text(&text, laying->rows->rows.items[container].datum.descriptor);
	strbuf_add_char(&text, '.');
	strbuf_add_text(&text, member->element);
	laying->texts += text.length;
	wanted.datum.descriptor = strbuf_text(&text);
	found = text.failed ? IDMAP_NONE : data_rows_find(laying->rows, &wanted);
	return found == IDMAP_NONE ? EXPT_ROW_TOTAL : found;
}

static bool add_member(struct laying *laying, const struct expt_data_member *member)
{
	struct expt_data_member *new;

	if (laying->members.count == MEMBERS_MAX)
		return false;
	new = array_add(&laying->members);
	if (new)
		*new = *member;
	return new;
}

static bool add_gap(struct laying *laying, uint64_t start, uint64_t end, unsigned depth)
{
	struct expt_data_member gap = { .offset = start,
					.size = end - start,
					.depth = depth };

	return start >= end || add_member(laying, &gap);
}

/* An area to be laid out: an aggregate of its own, or a member. */
struct area {
	const struct type *type;
	uint64_t start, size;
	unsigned depth;
	uint32_t container;
};

static bool lay_out(struct laying *laying, const struct area *area);

static bool add_one(struct laying *laying, const struct type_member *member,
		    const struct area *area)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	struct data_element element = { .type = member->type, .name = member->name };
	struct expt_data_member new = {
		.offset = area->start + member->offset,
		.size = member->size,
		.depth = area->depth,
	};
	struct area inner = {
		.type = member->type,
		.start = new.offset,
		.size = member->size,
		.depth = area->depth + 1,
	};

	data_element_write(&text, &element);
	laying->texts += text.length;
	if (text.failed || laying->texts > TEXTS_MAX)
		return false;
	new.element = arena_text(&laying->rows->values, strbuf_text(&text), text.length);
	if (!new.element)
		return false;
	new.row = inner.container = find_row(laying, area->container, &new, member->type);
	return add_member(laying, &new) &&
	       (!member->type || member->type->kind != TYPE_AGGREGATE ||
		area->depth == DEPTH_MAX || lay_out(laying, &inner));
}

/* Virtual base classes are after all other members. */
static bool add_end(struct laying *laying, const struct area *area, uint64_t end)
{
	struct expt_data_member rest = {
		.offset = area->start + end,
		.size = area->size - end,
		.depth = area->depth,
	};

	if (end >= area->size)
		return true;
	if (type_has_moving(area->type))
		rest.element = "(Virtual base classes)";
	return add_member(laying, &rest);
}

static bool lay_out(struct laying *laying, const struct area *area)
{
	const struct type_member *members;
	size_t count = type_members(laying->types, area->type, &members);
	uint64_t start = area->start, end = 0;

	for (size_t i = 0; i < count; i++) {
		if (!add_gap(laying, start + end, start + members[i].offset,
			     area->depth) ||
		    !add_one(laying, &members[i], area))
			return false;
		if (members[i].offset + members[i].size > end)
			end = members[i].offset + members[i].size;
	}
	/* The byte of an empty class in another one may be that of a member. */
	return (count == 0 && area->depth > 0) || add_end(laying, area, end);
}

size_t expt_data_layout(struct expt_rows *rows, size_t row,
			const struct expt_data_member **members)
{
	struct row *laid = &rows->rows.items[row];
	struct laying laying = { .rows = rows, .types = laid->types };
	struct area area = {
		.type = laid->type,
		.start = laid->datum.offset,
		.size = laid->datum.size,
		.container = (uint32_t)row,
	};
	struct expt_data_member *kept = NULL;
	size_t size, count = 0;

	*members = NULL;
	if (!laid->datum.is_aggregate)
		return 0;
	if (lay_out(&laying, &area)) {
		count = laying.members.count;
		size = count * sizeof(*kept);
		kept = size > 0 ? arena_alloc(&rows->values, size) : NULL;
	}
	if (kept)
		memcpy(kept, laying.members.items, count * sizeof(*kept));
	array_release(&laying.members);
	*members = kept;
	return kept ? count : 0;
}
