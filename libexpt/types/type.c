/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/type.h"

#include <dwarf.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/types/private.h"
#include "libexpt/types/scopes.h"

/* Types of types, dimensions, characters of a name, and so on: more is hostile. Types
 * that are too many, or whose names are too long, are not known. */
#define STEPS_MAX	64
#define DIMENSIONS_MAX	32
#define NAME_MAX_LENGTH 16384
#define NAMES_SIZE_MAX	((size_t)64 << 20)
#define TEXT_SIZE	16 /* characters that count as one attribute */
#define ENTRIES_MAX	1000000
#define RECORDS_MAX	500000
/* No object is larger, so sums of sizes and offsets do not overflow. */
#define OBJECT_SIZE_MAX ((uint64_t)1 << 46)

/* ---- names ------------------------------------------------------------------------- */

static const char *word_of(unsigned tag)
{
	switch (tag) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_restrict_type:
		return "restrict";
	case DW_TAG_atomic_type:
		return "atomic";
	case DW_TAG_pointer_type:
	case DW_TAG_ptr_to_member_type:
		return "pointer";
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return "reference";
	case DW_TAG_array_type:
		return "array";
	case DW_TAG_structure_type:
		return "structure";
	case DW_TAG_union_type:
		return "union";
	case DW_TAG_class_type:
		return "class";
	case DW_TAG_enumeration_type:
		return "enum";
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		return "function";
	default:
		return NULL;
	}
}

/* Descriptors have no blanks, and end at braces. */
static void mend_name(struct strbuf *text)
{
	for (size_t i = 0; i < text->length; i++)
		if (strchr(" \t\n{}", text->text[i]))
			text->text[i] = '_';
}

/* Keep the name of a record, which was that of another text. */
static bool keep_name(struct types *types, struct type *type)
{
	size_t length = strlen(type->name);

	if (length > NAMES_SIZE_MAX - types->names_size)
		return false;
	types->names_size += length;
	type->name = arena_text(&types->arena, type->name, length);
	return type->name != NULL;
}

/* ---- records ----------------------------------------------------------------------- */

static struct type_record *add_record(struct types *types,
				      const struct type_record *wanted)
{
	struct type_record *record, **slot;

	if (types->records.count == RECORDS_MAX)
		return NULL;
	record = arena_alloc(&types->arena, sizeof(*record));
	if (!record)
		return NULL;
	*record = *wanted;
	if (!keep_name(types, &record->type))
		return NULL;
	slot = array_add(&types->records);
	return slot ? *slot = record : NULL;
}

/* Returns the slot of an entry's record, by its file and offset. */
static uint32_t *find_slot(struct types *types, const struct dwarf_unit *unit,
			   uint64_t offset)
{
	uint64_t place[] = { (uintptr_t)unit->encoding.file, offset };
	uint64_t key = idmap_key(IDMAP_KEY, place, sizeof(place));

	for (;; key++) {
		uint32_t *slot = idmap_add(&types->by_entry, key);
		const struct type_entry *entry;

		if (!slot || *slot == IDMAP_NONE)
			return slot;
		entry = &types->entries.items[*slot];
		if (entry->file == unit->encoding.file && entry->offset == offset)
			return slot;
	}
}

static bool is_alike(const struct type_record *record, const struct type *type)
{
	return record->type.line == type->line && record->type.size == type->size &&
	       record->type.kind == type->kind && record->type.target == type->target &&
	       record->type.is_described == type->is_described &&
	       strcmp(record->type.name, type->name) == 0;
}

static uint64_t key_of(const struct type *type)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, type->name);

	key = idmap_number_key(key, type->line);
	key = idmap_number_key(key, type->size);
	key = idmap_number_key(key, type->kind);
	key = idmap_number_key(key, type->is_described);
	return idmap_number_key(key, (uintptr_t)type->target);
}

/* Returns the index of the record of this type, made if it is new. */
static uint32_t intern(struct types *types, const struct type_record *wanted)
{
	uint64_t key = key_of(&wanted->type);

	for (;; key++) {
		uint32_t *slot = idmap_add(&types->by_name, key);

		if (!slot)
			return IDMAP_NONE;
		if (*slot == IDMAP_NONE) {
			if (!add_record(types, wanted))
				return IDMAP_NONE;
			return *slot = (uint32_t)types->records.count - 1;
		}
		if (is_alike(types->records.items[*slot], &wanted->type))
			return *slot;
	}
}

/* ---- reading ----------------------------------------------------------------------- */

/* A type while its entries are read, from the outermost in. */
struct spelling {
	struct types *types;
	struct strbuf text;
	const char *alias; /* the first typedef */
	struct type_record record;
	unsigned steps;
};

static void append(struct spelling *spelling, const char *word)
{
	if (spelling->text.length > 0)
		strbuf_add_char(&spelling->text, '+');
	strbuf_add_text(&spelling->text, word);
}

static void add_word(struct spelling *spelling, const char *word)
{
	if (!spelling->alias)
		append(spelling, word);
}

static bool is_floating(const struct details *details)
{
	uint64_t encoding;

	return details->tag == DW_TAG_base_type &&
	       detail_number(&encoding, &details->encoding) &&
	       (encoding == DW_ATE_float || encoding == DW_ATE_complex_float);
}

static void set_kind(struct type *type, const struct details *details)
{
	switch (details->tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		type->kind = TYPE_AGGREGATE;
		break;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		type->kind = TYPE_CODE;
		break;
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_ptr_to_member_type:
		type->kind = TYPE_SCALAR;
		break;
	default:
		type->kind = TYPE_UNKNOWN;
		break;
	}
	type->is_floating = is_floating(details);
	if (!detail_number(&type->size, &details->size) || type->size > OBJECT_SIZE_MAX)
		type->size = 0;
	if (details->tag == DW_TAG_ptr_to_member_type)
		type->size = 8;
}

/* The innermost entry: an aggregate or scalar. An aggregate without a name of its own has
 * that of its typedef. */
static void finish_named(struct spelling *spelling, const struct details *details,
			 uint64_t offset)
{
	struct type_record *record = &spelling->record;
	const char *word = word_of(details->tag), *name = details->name;

	set_kind(&record->type, details);
	record->unit = details->unit;
	record->offset = offset;
	record->type.line = details->line;
	if (record->type.kind == TYPE_AGGREGATE) {
		strbuf_clear(&spelling->text);
		if (!name)
			name = spelling->alias;
		strbuf_printf(&spelling->text, "%s:", word);
		scopes_write(&spelling->text, spelling->types, details->unit, offset);
		strbuf_add_text(&spelling->text, name ? name : "-");
		return;
	}
	if (spelling->alias)
		append(spelling, spelling->alias);
	else if (word && details->tag == DW_TAG_enumeration_type)
		strbuf_printf(&spelling->text, "%s%s:%s",
			      spelling->text.length ? "+" : "", word, name ? name : "-");
	else
		add_word(spelling, name ? name : word ? word : "-");
}

/* The language says where arrays without a lower bound begin. */
static uint64_t first_index(struct dwarf_unit *unit)
{
	struct details whole;
	uint64_t language;

	if (!details_read(&whole, unit, unit->first) ||
	    !detail_number(&language, &whole.language))
		return 0;
	switch (language) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return 1;
	default:
		return 0;
	}
}

/* Elements of all dimensions together; 0: unknown. */
static uint64_t count_elements(const struct details *array, uint64_t offset)
{
	struct dwarf_entries entries;
	struct dwarf_entry entry;
	uint64_t count = 1, lower, upper;
	unsigned dimensions = 0;

	if (!array->has_children || !dwarf_entries_begin(&entries, array->unit, offset) ||
	    !dwarf_entry_next(&entry, &entries))
		return 0;
	dwarf_entry_finish(&entry, &entries);
	while (dwarf_entry_next(&entry, &entries) && entry.tag != 0) {
		struct details range;

		if (entry.has_children || dimensions == DIMENSIONS_MAX)
			return 0;
		details_take(&range, array->unit, &entry);
		dwarf_entry_finish(&entry, &entries);
		if (range.tag != DW_TAG_subrange_type)
			continue;
		dimensions++;
		if (!detail_number(&lower, &range.lower_bound))
			lower = first_index(array->unit);
		if (detail_number(&upper, &range.count))
			upper += lower - 1;
		else if (!detail_number(&upper, &range.upper_bound))
			return 0;
		if (upper - lower + 1 > UINT32_MAX ||
		    __builtin_mul_overflow(count, upper - lower + 1, &count))
			return 0;
	}
	return dimensions > 0 ? count : 0;
}

static const struct type *read_target(struct spelling *spelling,
				      const struct details *details)
{
	const struct type *target =
		type_of_depth(spelling->types, &details->type, spelling->steps);

	add_word(spelling, target ? target->name : "void");
	return target;
}

static void finish_pointer(struct spelling *spelling, const struct details *details)
{
	struct type *type = &spelling->record.type;

	add_word(spelling, word_of(details->tag));
	type->kind = TYPE_POINTER;
	type->target = read_target(spelling, details);
	type->size = details->unit->encoding.address_size;
}

static void finish_array(struct spelling *spelling, const struct details *details,
			 uint64_t offset)
{
	struct type *type = &spelling->record.type;
	uint64_t size = 0;

	add_word(spelling, word_of(details->tag));
	type->kind = TYPE_ARRAY;
	type->target = read_target(spelling, details);
	type->is_described = details->data_location.value.form != 0;
	if (!type->target || type->is_described ||
	    __builtin_mul_overflow(count_elements(details, offset), type->target->size,
				   &size) ||
	    size > OBJECT_SIZE_MAX)
		size = 0;
	type->size = size;
}

/* Read one entry. true: *detail becomes the next one. */
static bool read_step(struct spelling *spelling, struct detail *detail)
{
	struct details details;
	struct dwarf_unit *unit;
	uint64_t offset;

	if (++spelling->steps > STEPS_MAX || !detail_entry(&unit, &offset, detail) ||
	    !details_read(&details, unit, offset))
		return false;
	switch (details.tag) {
	case DW_TAG_typedef:
		if (!spelling->alias)
			spelling->alias = details.name;
		break;
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		add_word(spelling, word_of(details.tag));
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		finish_pointer(spelling, &details);
		return false;
	case DW_TAG_array_type:
		finish_array(spelling, &details, offset);
		return false;
	default:
		finish_named(spelling, &details, offset);
		return false;
	}
	*detail = details.type;
	return detail->value.form != 0;
}

/* An alias of a pointer or array names it, and one of nothing. */
static void name_alias(struct spelling *spelling)
{
	const struct type_record *record = &spelling->record;
	bool is_named = record->unit != NULL;

	if (spelling->alias && !is_named)
		append(spelling, spelling->alias);
	if (spelling->text.length == 0)
		strbuf_add_char(&spelling->text, '-');
}

static uint32_t read_type(struct types *types, struct detail detail, unsigned steps)
{
	struct spelling spelling = { .types = types, .steps = steps };
	struct type_record *record = &spelling.record;
	struct dwarf_unit *unit = detail.unit;
	uint32_t index = IDMAP_NONE;

	while (read_step(&spelling, &detail))
		;
	name_alias(&spelling);
	dwarf_entry_spend(unit, spelling.text.length / TEXT_SIZE);
	if (!spelling.text.failed && spelling.text.length <= NAME_MAX_LENGTH) {
		mend_name(&spelling.text);
		record->type.name = strbuf_text(&spelling.text);
		index = intern(types, record);
	}
	strbuf_release(&spelling.text);
	return index;
}

const struct type *type_of_depth(struct types *types, const struct detail *detail,
				 unsigned steps)
{
	struct dwarf_unit *unit;
	uint64_t offset;
	uint32_t *slot, index;

	if (!detail_entry(&unit, &offset, detail))
		return NULL;
	slot = find_slot(types, unit, offset);
	if (!slot)
		return NULL;
	if (*slot == IDMAP_NONE) {
		struct type_entry *entry;
		size_t number = types->entries.count;

		if (number == ENTRIES_MAX || !(entry = array_add(&types->entries)))
			return NULL;
		*entry = (struct type_entry){ unit->encoding.file, offset, IDMAP_NONE };
		*slot = (uint32_t)number;
		index = read_type(types, *detail, steps);
		types->entries.items[number].record = index;
	} else {
		index = types->entries.items[*slot].record;
	}
	return index == IDMAP_NONE ? NULL : &types->records.items[index]->type;
}

const struct type *type_of(struct types *types, const struct detail *detail)
{
	return type_of_depth(types, detail, 0);
}
