/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dataspace/data_rows.h"

#include <string.h>

#include "libexpt/analysis/identity.h"
#include "libexpt/base/array.h"
#include "libexpt/events/stack_sums.h"
#include "libexpt/kinds/data_access.h"

/* A longer descriptor ends at what contains the element, and so do all that are new after
 * so many bytes of texts: more is hostile. */
#define DESCRIPTOR_MAX ((size_t)16 << 10)
#define TEXTS_MAX      ((size_t)64 << 20)

/* ---- rows -------------------------------------------------------------------------- */

static struct row *add_row(struct expt_rows *rows, const char *name, uint32_t container)
{
	struct row *row = rows_add(rows);

	if (!row)
		return NULL;
	row->shown.name = name;
	row->datum.container = container;
	row->datum.descriptor = row->datum.short_form = name;
	return row;
}

struct expt_rows *data_rows_new(struct expt_view *view)
{
	static const struct stack_sums none;
	struct expt_rows *rows = rows_new(view, EXPT_BY_DATA, &none);

	if (rows && add_row(rows, "<Scalars>", EXPT_ROW_TOTAL) &&
	    add_row(rows, "<Unknown>", EXPT_ROW_TOTAL))
		return rows;
	rows_free(rows);
	return NULL;
}

uint32_t data_rows_of_reason(struct expt_rows *rows, enum reason reason)
{
	uint32_t *slot = idmap_add(&rows->by_key, 1 + (uint64_t)reason);

	if (!slot)
		return IDMAP_NONE;
	if (*slot == IDMAP_NONE) {
		struct row *row =
			add_row(rows, reason_names[reason].name, EXPT_DATA_UNKNOWN);

		if (!row)
			return IDMAP_NONE;
		if (reason_names[reason].short_word)
			row->datum.short_form = reason_names[reason].short_word;
		*slot = (uint32_t)rows->rows.count - 1;
	}
	return *slot;
}

/* ---- elements ---------------------------------------------------------------------- */

/* Two variables of the same name are two objects; types of the same name, size and line
 * are the same in all load objects. */
static bool is_same(const struct row *row, const struct row *wanted)
{
	return row->datum.container == wanted->datum.container &&
	       row->variable_key == wanted->variable_key &&
	       row->datum.size == wanted->datum.size &&
	       row->datum.offset == wanted->datum.offset &&
	       (row->type == wanted->type ||
		(row->type && wanted->type && row->type->line == wanted->type->line)) &&
	       strcmp(row->datum.descriptor, wanted->datum.descriptor) == 0;
}

/* Append an element in the words of the source: "foo_t.i". */
static void write_short(struct strbuf *text, const struct data_element *element)
{
	const char *name = element->name;

	if (!name)
		name = element->type ? strchr(element->type->name, ':') + 1 : "-";
	if (text->length > 0)
		strbuf_add_char(text, '.');
	strbuf_add_text(text, name);
}

static uint64_t key_of(const struct row *wanted)
{
	const struct expt_datum *datum = &wanted->datum;
	uint64_t key = idmap_text_key(IDMAP_KEY, datum->descriptor);

	key = idmap_number_key(key, datum->container);
	key = idmap_number_key(key, datum->offset);
	key = idmap_number_key(key, datum->size);
	return idmap_number_key(key, wanted->variable_key);
}

uint32_t data_rows_find(const struct expt_rows *rows, const struct row *wanted)
{
	uint64_t key = key_of(wanted);
	uint32_t found;

	while ((found = idmap_find(&rows->by_key, key)) != IDMAP_NONE &&
	       !is_same(&rows->rows.items[found], wanted))
		key++;
	return found;
}

/* Returns the row of an element in a container. wanted: its texts are not kept yet. */
static uint32_t find_row(struct expt_rows *rows, const struct row *wanted)
{
	const struct expt_datum *datum = &wanted->datum;
	uint64_t key = key_of(wanted);
	struct row *row;
	uint32_t *slot;

	for (;; key++) {
		slot = idmap_add(&rows->by_key, key);
		if (!slot)
			return IDMAP_NONE;
		if (*slot == IDMAP_NONE)
			break;
		if (is_same(&rows->rows.items[*slot], wanted))
			return *slot;
	}
	row = rows_add(rows);
	if (!row)
		return IDMAP_NONE;
	row->datum = *datum;
	row->type = wanted->type;
	row->types = wanted->types;
	row->variable_key = wanted->variable_key;
	row->datum.descriptor =
		arena_text(&rows->values, datum->descriptor, strlen(datum->descriptor));
	row->datum.short_form =
		arena_text(&rows->values, datum->short_form, strlen(datum->short_form));
	rows->texts += strlen(datum->descriptor) + strlen(datum->short_form);
	row->shown.name = row->datum.descriptor;
	if (!row->datum.descriptor || !row->datum.short_form)
		return IDMAP_NONE;
	return *slot = (uint32_t)rows->rows.count - 1;
}

/* Builds that are compared have variables of the same names at other places: they are
 * numbered. false: out of memory. */
static bool find_variable(uint64_t *key, struct expt_rows *rows,
			  const struct data_place *place)
{
	const struct expt_object *object;
	uint32_t number;

	*key = 0;
	if (!place->variable || !place->code)
		return true;
	object = expt_function_object(place->code);
	*key = identity_key_of_object(rows, object);
	if (rows->view->groups == 1) {
		*key = idmap_number_key(*key, place->variable_number);
		return true;
	}
	if (place->is_local)
		*key = idmap_text_key(*key,
				      expt_function_name(place->code, EXPT_NAME_LONG));
	*key = idmap_text_key(*key, place->variable->name);
	if (!identity_number(&number, rows, object, *key, place->variable_number))
		return false;
	*key = idmap_number_key(*key, number);
	return true;
}

static uint32_t container_of(const struct data_element *outermost)
{
	bool is_whole = outermost->type && (outermost->type->kind == TYPE_AGGREGATE ||
					    outermost->type->kind == TYPE_ARRAY);

	return is_whole ? EXPT_ROW_TOTAL : EXPT_DATA_SCALARS;
}

static bool is_too_much(const struct expt_rows *rows, const struct strbuf *descriptor)
{
	return descriptor->length > DESCRIPTOR_MAX ||
	       rows->texts + descriptor->length > TEXTS_MAX;
}

uint32_t data_rows_of_place(struct expt_rows *rows, const struct data_place *place)
{
	cleanup_strbuf struct strbuf descriptor = STRBUF_INIT, short_form = STRBUF_INIT;
	struct data_element elements[DATA_ELEMENTS_MAX];
	size_t count = data_elements(elements, place);
	uint32_t number = container_of(&elements[0]);
	uint64_t variable;

	if (!find_variable(&variable, rows, place))
		return IDMAP_NONE;
	for (size_t i = 0; i < count && number != IDMAP_NONE; i++) {
		const struct type *type = elements[i].type;
		struct row wanted = {
			.datum.container = number,
			.datum.offset = elements[i].offset,
			.datum.size = elements[i].size,
			.datum.is_aggregate = type && type->kind == TYPE_AGGREGATE,
			.type = type,
			.types = place->types,
			.variable_key = elements[0].name ? variable : 0,
		};

		data_element_write(&descriptor, &elements[i]);
		write_short(&short_form, &elements[i]);
		if (descriptor.failed || short_form.failed)
			return IDMAP_NONE;
		wanted.datum.descriptor = strbuf_text(&descriptor);
		wanted.datum.short_form = strbuf_text(&short_form);
		/* One that has a row is the same for all of its events. */
		if (is_too_much(rows, &descriptor) &&
		    data_rows_find(rows, &wanted) == IDMAP_NONE)
			return i > 0 ? number : data_rows_of_reason(rows, REASON_OTHER);
		number = find_row(rows, &wanted);
	}
	return number;
}

uint32_t data_rows_of_record(struct expt_rows *rows, size_t member,
			     const struct expt_record *record)
{
	struct data_access access;

	if (!data_access_find(&access, rows->view, member, record))
		return IDMAP_NONE;
	return access.is_found ? data_rows_of_place(rows, &access.place)
			       : data_rows_of_reason(rows, access.reason);
}

const struct expt_datum *expt_row_datum(const struct expt_rows *rows, size_t i)
{
	return &rows->rows.items[i].datum;
}
