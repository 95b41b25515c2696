/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/descriptor.h"

/* Arrays of aggregates are these: the elements are what programs reach by pointers. */
static const struct type *outermost(const struct type *type, uint64_t *offset)
{
	const struct type *element = type;

	while (element->kind == TYPE_ARRAY && element->target && !element->is_described)
		element = element->target;
	if (element == type || element->kind != TYPE_AGGREGATE || element->size == 0)
		return type;
	*offset %= element->size;
	return element;
}

static const char *name_of(const struct data_place *place, const struct type *type)
{
	if (type->kind == TYPE_AGGREGATE)
		return NULL;
	return place->variable ? place->variable->name : "-";
}

size_t data_elements(struct data_element elements[DATA_ELEMENTS_MAX],
		     const struct data_place *place)
{
	uint64_t offset = place->offset, skipped = 0;
	const struct type *type = outermost(place->type, &offset);
	struct walk walk = { .count = 0 };

	walk_down(&walk, place->types, type, offset, place->width);
	elements[0] = (struct data_element){
		.type = type,
		.name = name_of(place, type),
		.size = type->size,
	};
	for (size_t i = 0; i < walk.count; i++) {
		const struct walk_step *step = &walk.steps[i];

		/* All elements of an array are the first one. */
		if (elements[i].type->kind == TYPE_ARRAY)
			skipped = step->offset - elements[i].offset;
		elements[i + 1] = (struct data_element){
			.type = step->type,
			.name = step->name,
			.offset = step->offset - skipped,
			.size = step->size,
		};
	}
	return walk.count + 1;
}

void data_element_write(struct strbuf *text, const struct data_element *element)
{
	if (text->length > 0)
		strbuf_add_char(text, '.');
	strbuf_add_char(text, '{');
	strbuf_add_text(text, element->type ? element->type->name : "void");
	if (element->name) {
		strbuf_add_char(text, ' ');
		strbuf_add_text(text, element->name);
	}
	strbuf_add_char(text, '}');
}

void data_place_write(struct strbuf *text, const struct data_place *place)
{
	struct data_element elements[DATA_ELEMENTS_MAX];
	size_t count = data_elements(elements, place);

	for (size_t i = 0; i < count; i++)
		data_element_write(text, &elements[i]);
}
