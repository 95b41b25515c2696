/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/code.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/dwarf/entry.h"
#include "libexpt/dwarf/function.h"
#include "libexpt/dwarf/ranges.h"
#include "libexpt/dwarf/split.h"
#include "libexpt/dwarf/value.h"

/* The least that an entry of a function takes, in bytes. A hostile one takes one byte,
 * and an instance of it fifty times as much memory. */
#define INSTANCE_SIZE 8
#define SMALL	      1024

/* A walk through the entries of a unit. */
struct walk {
	struct dwarf_code *code;
	struct {
		uint32_t *items; /* the instance around each open list of children */
		size_t count, capacity;
	} around;
};

static uint32_t current(const struct walk *walk)
{
	return walk->around.count > 0 ? walk->around.items[walk->around.count - 1]
				      : SPAN_NONE;
}

static bool is_instance(unsigned tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_entry_point;
}

static void take_attribute(struct dwarf_instance *instance, unsigned name,
			   const struct dwarf_value *value)
{
	switch (name) {
	case DW_AT_call_file:
		instance->call_file = dwarf_value_small(value);
		break;
	case DW_AT_call_line:
		instance->call_line = dwarf_value_small(value);
		break;
	case DW_AT_call_column:
		instance->call_column = dwarf_value_small(value);
		break;
	default:
		break;
	}
}

/* Add an instance if it has code; *index becomes its number. */
static int add_instance(struct walk *walk, struct dwarf_entry *entry, uint32_t *index)
{
	struct dwarf_code *code = walk->code;
	struct dwarf_extent extent = { .low.form = 0 };
	struct dwarf_instance *instance, new = {
		.entry = entry->offset,
		.parent = current(walk),
		.is_inlined = entry->tag == DW_TAG_inlined_subroutine,
	};
	struct dwarf_value value;
	size_t count = code->spans.count;
	unsigned name;

	while (dwarf_attribute_next(&name, &value, entry)) {
		dwarf_extent_take(&extent, name, &value);
		take_attribute(&new, name, &value);
	}
	if (dwarf_extent_add(&code->spans, &extent, code->unit,
			     (uint32_t)code->instances.count) < 0)
		return -ENOMEM;
	if (code->spans.count == count)
		return 0;
	instance = array_add(&code->instances);
	if (!instance)
		return -ENOMEM;
	*instance = new;
	*index = (uint32_t)(code->instances.count - 1);
	return 0;
}

static int open_children(struct walk *walk, uint32_t instance)
{
	uint32_t *around = array_add(&walk->around);

	if (!around)
		return -ENOMEM;
	*around = instance;
	return 0;
}

static bool has_room(const struct dwarf_code *code)
{
	const struct dwarf_unit *unit = code->unit;

	return code->instances.count < SMALL + (unit->end - unit->first) / INSTANCE_SIZE;
}

static int visit(struct walk *walk, struct dwarf_entry *entry)
{
	uint32_t instance = current(walk);
	int rc = 0;

	if (entry->tag == 0) {
		walk->around.count -= walk->around.count > 0;
		return 0;
	}
	if (is_instance(entry->tag) && has_room(walk->code))
		rc = add_instance(walk, entry, &instance);
	if (rc == 0 && entry->has_children)
		rc = open_children(walk, instance);
	return rc;
}

static int read_entries(struct dwarf_code *code)
{
	struct walk walk = { .code = code };
	struct dwarf_entries entries;
	struct dwarf_entry entry;
	int rc = 0;

	if (!dwarf_entries_begin(&entries, code->unit, code->unit->first))
		return 0;
	while (rc == 0 && dwarf_entry_next(&entry, &entries)) {
		rc = visit(&walk, &entry);
		dwarf_entry_finish(&entry, &entries);
	}
	array_release(&walk.around);
	return rc < 0 ? rc : spans_finish(&code->spans);
}

void dwarf_code_free(struct dwarf_code *code)
{
	array_release(&code->instances);
	array_release(&code->spans);
	free(code);
}

static void freep(struct dwarf_code **code)
{
	if (*code)
		dwarf_code_free(*code);
}

static struct dwarf_code *read_code(struct dwarf_unit *unit)
{
	struct dwarf_unit *whole = dwarf_split(unit);
	cleanup(freep) struct dwarf_code *code = whole ? calloc(1, sizeof(*code)) : NULL;
	struct dwarf_code **slot;

	if (!code)
		return NULL;
	code->unit = whole;
	if (read_entries(code) < 0)
		return NULL;
	slot = array_add(&unit->encoding.file->dwarf->codes);
	return slot ? *slot = steal(&code) : NULL;
}

struct dwarf_code *dwarf_unit_code(struct dwarf_unit *unit)
{
	if (!unit->has_code)
		unit->code = read_code(unit);
	unit->has_code = true;
	return unit->code;
}

const struct dwarf_function *dwarf_instance_function(const struct dwarf_code *code,
						     struct dwarf_instance *instance)
{
	if (!instance->has_function)
		instance->function = dwarf_function(code->unit, instance->entry);
	instance->has_function = true;
	return instance->function;
}
