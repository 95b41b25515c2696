/* SPDX-License-Identifier: Apache-2.0 */
/* Functions as rows: made when an address first falls into one, named at the first
 * request. */
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/format.h"
#include "libexpt/objects/private.h"

/* ---- rows -------------------------------------------------------------------------- */

struct expt_function *function_add(struct expt_object *object, uint32_t *slot,
				   const struct expt_function *like)
{
	struct expt_function *function =
		arena_alloc(&object->table->strings, sizeof(*function));
	struct expt_function **item = function ? array_add(&object->rows) : NULL;

	if (!item)
		return NULL;
	*function = *like;
	function->object = object;
	*slot = (uint32_t)(object->rows.count - 1);
	return *item = function;
}

const struct expt_function *function_at(struct expt_object *object, uint64_t offset)
{
	struct expt_function *function;
	struct symbol_range range;
	uint32_t *slot;

	object_load(object);
	symbol_find(&object->symbols, offset, &range);
	slot = idmap_add(&object->rows.by_start, range.start);
	if (!slot)
		return &unknown_function;
	if (*slot != IDMAP_NONE)
		return object->rows.items[*slot];
	function = function_add(object, slot,
				&(struct expt_function){ .start = range.start,
							 .size = range.end - range.start,
							 .first = range.first,
							 .count = range.count,
							 .is_plt = range.is_plt });
	if (!function)
		return &unknown_function;
	if (range.end == UINT64_MAX) /* after all code, so the size is unknown */
		function->size = 0;
	return function;
}

const struct expt_function *expt_object_function(struct expt_object *object,
						 uint64_t offset)
{
	return object->is_file ? function_at(object, offset) : NULL;
}

static bool is_equal(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool keep_text(struct arena *arena, const char **text)
{
	if (*text) {
		*text = arena_text(arena, *text, strlen(*text));
		return *text;
	}
	return true;
}

/* Rows of dynamic code outlive the experiment whose files their texts and lines are in:
 * those of a descendant are met again in another one. */
static bool keep_dynamic(struct arena *arena, struct expt_function *function)
{
	const char **texts[] = { &function->owner, &function->symbol, &function->alias,
				 &function->source };
	size_t size = function->line_count * sizeof(*function->lines);
	struct dynamic_line *lines;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!keep_text(arena, texts[i]))
			return false;
	if (size == 0)
		return true;
	lines = arena_alloc(arena, size);
	if (lines)
		memcpy(lines, function->lines, size);
	function->lines = lines;
	return lines;
}

const struct expt_function *function_dynamic(struct expt_object *object,
					     const struct expt_function *wanted,
					     uint64_t key)
{
	const struct expt_function *function;
	struct expt_function own = *wanted;
	uint32_t *slot;

	key = idmap_text_key(key, wanted->owner ? wanted->owner : "");
	key = idmap_text_key(key, wanted->symbol ? wanted->symbol : "");
	for (;; key++) {
		slot = idmap_add(&object->rows.by_start, key);
		if (!slot)
			return &unknown_function;
		if (*slot == IDMAP_NONE)
			break;
		function = object->rows.items[*slot];
		if (function->size == wanted->size &&
		    is_equal(function->owner, wanted->owner) &&
		    is_equal(function->symbol, wanted->symbol))
			return function;
	}
	function = keep_dynamic(&object->table->strings, &own)
			   ? function_add(object, slot, &own)
			   : NULL;
	return function ? function : &unknown_function;
}

const struct expt_function *function_made(struct expt_object *object,
					  const struct expt_function *wanted)
{
	uint64_t key = idmap_text_key(~IDMAP_KEY, wanted->symbol);
	struct expt_function copy = *wanted;
	const struct expt_function *function;
	uint32_t *slot;

	/* Other names with the same key take the next free ones. */
	for (;; key++) {
		slot = idmap_add(&object->rows.by_start, key);
		if (!slot)
			return &unknown_function;
		if (*slot == IDMAP_NONE)
			break;
		function = object->rows.items[*slot];
		if (!function->owner && is_equal(function->symbol, wanted->symbol))
			return function;
	}
	copy.symbol = arena_text(&object->table->strings, wanted->symbol,
				 strlen(wanted->symbol));
	function = copy.symbol ? function_add(object, slot, &copy) : NULL;
	return function ? function : &unknown_function;
}

void function_set_lines(struct expt_function *function, const char *source,
			const struct dynamic_lines *text)
{
	function->source = source;
	if (!text)
		return;
	function->lines = text->lines;
	function->line_count = text->line_count;
	if (!source)
		function->source = text->source;
}

const struct expt_function *function_inlined(struct expt_object *object,
					     const char *symbol, const char *source)
{
	struct expt_function *function =
		arena_alloc(&object->table->strings, sizeof(*function));

	if (function)
		*function = (struct expt_function){ .object = object,
						    .symbol = symbol,
						    .source = source,
						    .is_inlined = true,
						    .has_source = true };
	return function;
}

/* ---- names ------------------------------------------------------------------------- */

static const char *keep(struct object_table *table, const char *text, size_t length)
{
	const char *kept = arena_text(&table->strings, text, length);

	return kept ? kept : UNKNOWN_NAME;
}

/* Name a gap "<static>@0x507 (<libx.so>)"; the short form omits the parentheses. Its
 * symbol stays NULL, by which function_dynamic() recognizes a gap. */
static void name_gap(struct expt_function *function)
{
	const struct expt_object *object = function->object;
	struct strbuf name = STRBUF_INIT;

	strbuf_printf(&name, "<static>@0x%llx", (unsigned long long)function->start);
	function->short_name = keep(object->table, strbuf_text(&name), name.length);
	strbuf_printf(&name, " (%s)", function->owner ? function->owner : object->name);
	if (object->is_file && object->symbols.symbols.count == 0)
		strbuf_add_text(&name, " --  no functions found");
	function->long_name = keep(object->table, strbuf_text(&name), name.length);
	strbuf_release(&name);
}

/* Append "@plt" to all forms of the target's name. */
static void name_stub(struct expt_function *function)
{
	struct object_table *table = function->object->table;
	const char *target =
		function->object->symbols.symbols.items[function->first].name;
	cleanup_free char *demangled = demangle(&table->demangler, target);
	const char *forms[] = { target, demangled ? demangled : target };
	struct strbuf name = STRBUF_INIT;

	strbuf_printf(&name, "%s" PLT_NAME, forms[0]);
	function->symbol = keep(table, strbuf_text(&name), name.length);
	name.length = 0;
	strbuf_printf(&name, "%s" PLT_NAME, forms[1]);
	function->long_name = keep(table, strbuf_text(&name), name.length);
	name.length = 0;
	strbuf_printf(&name, "%.*s" PLT_NAME,
		      (int)(demangled ? demangle_short_length(forms[1])
				      : strlen(forms[1])),
		      forms[1]);
	function->short_name = keep(table, strbuf_text(&name), name.length);
	strbuf_release(&name);
}

/* Returns the long form of a name that debug data give; most C names are complete. */
static const char *demangled(struct object_table *table, const char *symbol)
{
	char *long_form = demangle(&table->demangler, symbol);
	const char *name = long_form ? keep(table, long_form, strlen(long_form)) : symbol;

	free(long_form);
	return name;
}

static void name_function(struct expt_function *function)
{
	struct expt_object *object = function->object;
	struct symbol_range range = { .first = function->first,
				      .count = function->count };
	struct symbol_name name = { function->symbol, function->symbol };

	if (function->long_name)
		return;
	if (function->is_plt) {
		name_stub(function);
		return;
	}
	if (function->count > 0)
		symbol_choose(&name, &object->symbols, &range, &object->table->demangler,
			      &object->table->strings);
	else if (function->is_inlined)
		name.long_form = demangled(object->table, function->symbol);
	if (!name.symbol) {
		name_gap(function);
		return;
	}
	function->symbol = name.symbol;
	function->long_name = name.long_form;
	function->short_name = name.long_form;
	if (name.long_form != name.symbol)
		function->short_name = keep(object->table, name.long_form,
					    demangle_short_length(name.long_form));
}

/* Naming only fills a cache, so callers see no change. */
static struct expt_function *named(const struct expt_function *function)
{
	struct expt_function *writable = (struct expt_function *)(uintptr_t)function;

	if (!function->long_name)
		name_function(writable);
	return writable;
}

const char *expt_function_name(const struct expt_function *function,
			       enum expt_name_form form)
{
	named(function);
	switch (form) {
	case EXPT_NAME_SHORT:
		return function->short_name;
	case EXPT_NAME_MANGLED:
		return function->symbol ? function->symbol : function->long_name;
	default:
		return function->long_name;
	}
}

bool expt_function_is_not_sampled(const struct expt_function *function)
{
	return strncmp(expt_function_name(function, EXPT_NAME_SHORT), CLOCK_NOT_SAMPLED,
		       strlen(CLOCK_NOT_SAMPLED)) == 0;
}

struct expt_object *expt_function_object(const struct expt_function *function)
{
	return function->object;
}

uint64_t expt_function_offset(const struct expt_function *function)
{
	return function->start;
}

uint64_t expt_function_size(const struct expt_function *function)
{
	return function->size;
}

bool expt_function_is_inlined(const struct expt_function *function)
{
	return function->is_inlined;
}

/* ---- aliases ----------------------------------------------------------------------- */

/* More would not be read, and a damaged table may have any number. */
#define ALIASES_MAX 1000

static bool is_listed(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Returns the long form of another name, or its symbol if the long forms are equal. */
static const char *alias_name(const struct expt_function *function, const char *symbol)
{
	struct object_table *table = function->object->table;
	cleanup_free char *long_form = demangle(&table->demangler, symbol);

	if (long_form && strcmp(long_form, function->long_name) != 0)
		symbol = long_form;
	return keep(table, symbol, strlen(symbol));
}

static const char *const *list_aliases(const struct expt_function *function)
{
	const struct elf_symbols *symbols = &function->object->symbols.symbols;
	const char *own = expt_function_name(function, EXPT_NAME_MANGLED);
	size_t limit = function->count < ALIASES_MAX ? function->count : ALIASES_MAX;
	const char **names = calloc(limit + 2, sizeof(*names));
	size_t count = 0;

	if (names && function->alias)
		names[count++] = function->alias;
	object_load(function->object);
	for (size_t i = 0; names && i < limit && function->first + i < symbols->count;
	     i++) {
		const char *name = symbols->items[function->first + i].name;

		if (strcmp(name, own) == 0)
			continue;
		name = alias_name(function, name);
		if (!is_listed(names, count, name))
			names[count++] = name;
	}
	if (count > 0)
		return names;
	free(names);
	return NULL;
}

const char *const *expt_function_aliases(const struct expt_function *function)
{
	struct expt_function *writable = named(function);

	if (!function->has_aliases) {
		if (function->count > 1 || function->alias)
			writable->aliases = list_aliases(function);
		writable->has_aliases = true;
	}
	return function->aliases;
}
