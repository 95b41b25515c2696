/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of functions, by their names. Static functions of several source files may have
 * the same name, so a part belongs to the function of its own file, or else to a global
 * one. Often there is none, because all callers call a specialised copy: then the parts
 * get a row that has only a name.
 */
#include "libexpt/names/outlined.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/objects/private.h"

/* ---- symbols by name --------------------------------------------------------------- */

struct wanted {
	const char *name;
	size_t length; /* of the name of the function */
	uint32_t file;
};

/* A function, or the parts of one. */
static uint64_t symbol_key(const struct wanted *wanted, bool is_part)
{
	uint64_t key = idmap_key(IDMAP_KEY, wanted->name, wanted->length);

	key = idmap_key(key, &wanted->file, sizeof(wanted->file));
	return idmap_key(key, &is_part, sizeof(is_part));
}

static bool add_symbol(struct idmap *map, const struct wanted *wanted, bool is_part,
		       size_t i)
{
	uint32_t *slot = idmap_add(map, symbol_key(wanted, is_part));

	if (slot && *slot == IDMAP_NONE)
		*slot = (uint32_t)i;
	return slot;
}

static bool add_all(struct idmap *map, const struct elf_symbols *symbols)
{
	for (size_t i = 0; i < symbols->count && i < IDMAP_NONE; i++) {
		const struct elf_symbol *symbol = &symbols->items[i];
		struct wanted wanted = { symbol->name, strlen(symbol->name),
					 symbol->file };

		if (symbol->table == ELF_TABLE_PLT) /* the name of another function */
			continue;
		if (!add_symbol(map, &wanted, false, i))
			return false;
		wanted.length = outlined_function_length(symbol->name);
		if (wanted.length > 0 && !add_symbol(map, &wanted, true, i))
			return false;
	}
	return true;
}

/* Go's main.cold is a function of the package main. */
static bool is_go(const struct elf *elf)
{
	uint64_t offset, size;

	return elf_section(elf, ".gopclntab", &offset, &size) ||
	       elf_section(elf, ".data.rel.ro.gopclntab", &offset, &size);
}

static bool is_usable(struct expt_object *object)
{
	struct outlined_index *index = &object->outlined;

	if (!index->is_made) {
		index->is_made = true;
		index->is_unusable = !object->elf || is_go(object->elf) ||
				     !add_all(&index->symbols, &object->symbols.symbols);
	}
	return !index->is_unusable;
}

/* Returns the symbol, or NULL. Different names with the same key hide each other. */
static const struct elf_symbol *find_symbol(const struct expt_object *object,
					    const struct wanted *wanted, bool is_part)
{
	uint32_t i = idmap_find(&object->outlined.symbols, symbol_key(wanted, is_part));
	const struct elf_symbol *symbol;

	if (i == IDMAP_NONE)
		return NULL;
	symbol = &object->symbols.symbols.items[i];
	return strncmp(symbol->name, wanted->name, wanted->length) == 0 ? symbol : NULL;
}

static const struct elf_symbol *find_function(const struct expt_object *object,
					      const struct wanted *wanted)
{
	const struct wanted global = { wanted->name, wanted->length, 0 };
	const struct elf_symbol *symbol = find_symbol(object, wanted, false);

	return symbol ? symbol : find_symbol(object, &global, false);
}

/* ---- rows -------------------------------------------------------------------------- */

/* Fill the row of a function that has only a name. */
static bool name_whole(struct expt_function *whole, struct object_table *table,
		       const char *name, size_t length)
{
	size_t plain_length = outlined_plain_length(name, length);
	const char *plain = arena_text(&table->strings, name, plain_length);
	char *long_form = plain ? demangle(&table->demangler, plain) : NULL;

	whole->symbol = arena_text(&table->strings, name, length);
	whole->long_name =
		long_form ? arena_text(&table->strings, long_form, strlen(long_form))
			  : plain;
	whole->short_name = whole->long_name;
	if (long_form && whole->long_name)
		whole->short_name = arena_text(&table->strings, long_form,
					       demangle_short_length(long_form));
	free(long_form);
	return whole->symbol && whole->long_name && whole->short_name;
}

/* Returns the row of a function without code of its own name, at the address of the first
 * of its parts; NULL: out of memory. */
static const struct expt_function *named_row(struct expt_object *object,
					     struct wanted *wanted,
					     const struct elf_symbol *symbol)
{
	struct expt_function whole = { .has_aliases = true };
	struct symbol_range range;
	uint32_t *slot;

	if (!symbol)
		symbol = find_symbol(object, wanted, true);
	if (!symbol)
		return NULL;
	if (outlined_plain_length(wanted->name, wanted->length) < wanted->length)
		wanted->file = 0; /* the name is the only one in the object */
	slot = idmap_add(&object->outlined.rows, symbol_key(wanted, true));
	if (!slot)
		return NULL;
	if (*slot != IDMAP_NONE)
		return object->rows.items[*slot];
	symbol_find(&object->symbols, symbol->offset, &range);
	whole.start = range.start;
	whole.size = range.end - range.start;
	return name_whole(&whole, object->table, wanted->name, wanted->length)
		       ? function_add(object, slot, &whole)
		       : NULL;
}

/* Returns the symbol with the name, if all names of the function have suffixes. */
static const struct elf_symbol *part_symbol(const struct expt_function *function)
{
	const struct elf_symbol *symbols = function->object->symbols.symbols.items;
	const struct elf_symbol *own = NULL;
	const char *name;

	for (size_t i = function->first; i < function->first + function->count; i++)
		if (outlined_plain_length(symbols[i].name, strlen(symbols[i].name)) ==
		    strlen(symbols[i].name))
			return NULL;
	name = function->count > 0 ? expt_function_name(function, EXPT_NAME_MANGLED)
				   : NULL;
	for (size_t i = function->first; i < function->first + function->count; i++)
		if (symbols[i].name == name)
			own = &symbols[i];
	return own;
}

static const struct expt_function *find_whole(const struct expt_function *function)
{
	struct expt_object *object = function->object;
	const struct elf_symbol *own = part_symbol(function), *symbol;
	struct wanted wanted;

	if (!own || !is_usable(object))
		return function;
	wanted = (struct wanted){ own->name, outlined_function_length(own->name),
				  own->file };
	if (wanted.length == 0)
		wanted.length = strlen(own->name);
	symbol = find_function(object, &wanted);
	if (symbol && outlined_plain_length(own->name, wanted.length) == wanted.length)
		return function_at(object, symbol->offset);
	return named_row(object, &wanted, symbol);
}

const struct expt_function *expt_function_whole(const struct expt_function *function)
{
	/* Finding it only fills a cache, so callers see no change. */
	struct expt_function *writable = (struct expt_function *)(uintptr_t)function;

	if (!function->whole) {
		const struct expt_function *whole = find_whole(function);

		writable->whole = whole ? whole : function;
	}
	return function->whole;
}
