/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/descriptor.h"

/* Arrays of aggregates are these: the elements are what programs reach by pointers. */
static const struct type *outermost(const struct type *type, uint64_t *offset)
{
	const struct type *element = type;

	while (element->kind == TYPE_ARRAY && element->target && !element->is_described)
		element = element->target;
	if (element->kind != TYPE_AGGREGATE || element->size == 0)
		return type;
	if (element != type)
		*offset %= element->size;
	return element;
}

static void add_element(struct strbuf *text, const struct type *type, const char *name)
{
	if (text->length > 0)
		strbuf_add_char(text, '.');
	strbuf_printf(text, "{%s", type ? type->name : "void");
	if (name)
		strbuf_printf(text, " %s", name);
	strbuf_add_char(text, '}');
}

void data_place_write(struct strbuf *text, const struct data_place *place)
{
	uint64_t offset = place->offset;
	const struct type *type = outermost(place->type, &offset);
	struct walk walk = { .count = 0 };

	walk_down(&walk, place->types, type, offset, place->width);
	if (type->kind == TYPE_AGGREGATE)
		add_element(text, type, NULL);
	else
		add_element(text, type, place->variable ? place->variable : "-");
	for (size_t i = 0; i < walk.count; i++)
		add_element(text, walk.steps[i].type, walk.steps[i].name);
}
