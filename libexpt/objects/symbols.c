/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/objects/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/archives/debug_file.h"
#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/entry.h"
#include "libexpt/elf/plt.h"

/* ---- reading ----------------------------------------------------------------------- */

/* Better: each stub is a function of its own, named after its target, in all kinds of
 * procedure linkage tables. gprofng makes .plt one function, @plt, and others a gap. */
static int add_stubs(struct symbol_table *table, const struct elf_plt *plt)
{
	for (size_t i = 0; i < plt->stubs.count; i++) {
		struct elf_symbol *new = array_add(&table->symbols);

		if (!new)
			return -ENOMEM;
		*new = plt->stubs.items[i];
	}
	return 0;
}

#define ALIASES_MAX 1000 /* a damaged table may have any number */

/* Returns the shortest name of the function that begins at an offset, or "". */
static const char *name_at(const struct symbol_table *table, uint64_t offset)
{
	const struct elf_symbol *symbols = table->symbols.items;
	struct symbol_range range;
	const char *name;

	symbol_find(table, offset, &range);
	if (range.count == 0 || range.start != offset || range.is_plt)
		return "";
	name = symbols[range.first].name;
	for (size_t i = 1; i < range.count && i < ALIASES_MAX; i++)
		if (strlen(symbols[range.first + i].name) < strlen(name))
			name = symbols[range.first + i].name;
	return name;
}

/* Stubs of functions that are chosen at run time have the name of that which chooses. */
static void name_resolved(struct symbol_table *table, const struct elf_plt *plt)
{
	struct symbol_range range;

	for (size_t i = 0; i < plt->resolved.count; i++) {
		const struct elf_resolved *resolved = &plt->resolved.items[i];

		symbol_find(table, resolved->stub, &range);
		if (range.is_plt && range.start == resolved->stub)
			table->symbols.items[range.first].name =
				name_at(table, resolved->resolver);
	}
}

/* Descriptions repeat the object's own tables; drop those. */
static void drop_own(struct elf_symbols *symbols, size_t first)
{
	size_t kept = first;

	for (size_t i = first; i < symbols->count; i++)
		if (symbols->items[i].table != ELF_TABLE_DYNSYM)
			symbols->items[kept++] = symbols->items[i];
	symbols->count = kept;
}

/* A debug file beside the object replaces the missing .symtab. Better: it is verified,
 * while gprofng accepts any file there. Files found by build-id, in the .debug directory
 * or below the system's debug directory name only what has no name yet. */
static int add_debug_symbols(struct symbol_table *table, const struct elf *elf,
			     const char *path, const struct symbol_places *places,
			     struct expt_error *err)
{
	size_t own = table->symbols.count;
	enum debug_place place = debug_file_open(&table->debug, elf, path,
						 places ? places->archives : NULL,
						 places ? places->fetcher : NULL);
	int rc;

	if (place == DEBUG_NOWHERE)
		return 0;
	rc = elf_read_symbols(&table->symbols, table->debug, elf, err);
	drop_own(&table->symbols, own);
	if (place == DEBUG_ELSEWHERE)
		for (size_t i = own; i < table->symbols.count; i++)
			table->symbols.items[i].table = ELF_TABLE_ELSEWHERE;
	return rc;
}

static int add_described_symbols(struct symbol_table *table, const struct elf *elf,
				 struct elf *description, const char *path,
				 const struct symbol_places *places,
				 struct expt_error *err)
{
	size_t own = table->symbols.count;
	int rc;

	table->debug = description;
	rc = elf_read_symbols(&table->symbols, description, elf, err);
	drop_own(&table->symbols, own);
	if (rc < 0 || table->symbols.count > own)
		return rc;
	elf_close(table->debug);
	table->debug = NULL;
	return add_debug_symbols(table, elf, path, places, err);
}

static int add_more_symbols(struct symbol_table *table, const struct elf *elf,
			    struct elf *description, const char *path,
			    const struct symbol_places *places, struct expt_error *err)
{
	if (description)
		return add_described_symbols(table, elf, description, path, places, err);
	return !elf_has_symtab(elf) ? add_debug_symbols(table, elf, path, places, err)
				    : 0;
}

#define DIGIT_BITS 11
#define DIGITS	   (1u << DIGIT_BITS)

/* Pass 0 sorts by table, the others by address from its last digit on; each pass is
 * stable. */
static size_t digit_of(const struct elf_symbol *symbol, unsigned pass)
{
	if (pass == 0)
		return (size_t)symbol->table;
	return (size_t)(symbol->offset >> (pass - 1) * DIGIT_BITS) % DIGITS;
}

static void sort_by_digit(struct elf_symbol *to, const struct elf_symbol *from,
			  size_t count, unsigned pass)
{
	size_t starts[DIGITS + 1] = { 0 };

	for (size_t i = 0; i < count; i++)
		starts[digit_of(&from[i], pass) + 1]++;
	for (size_t digit = 1; digit < DIGITS; digit++)
		starts[digit] += starts[digit - 1];
	for (size_t i = 0; i < count; i++)
		to[starts[digit_of(&from[i], pass)]++] = from[i];
}

static bool has_one_digit(const struct elf_symbols *symbols, unsigned pass)
{
	for (size_t i = 1; i < symbols->count; i++)
		if (digit_of(&symbols->items[i], pass) != digit_of(symbols->items, pass))
			return false;
	return true;
}

/* Sort by address, and then by table. Comparing the 27,000 symbols of a compiler took a
 * tenth of the time to show a profile of it, so this is a radix sort. */
static bool sort_symbols(struct elf_symbols *symbols)
{
	struct elf_symbol *spare, *sorted;

	if (symbols->count < 2)
		return true;
	spare = reallocarray(NULL, symbols->capacity, sizeof(*spare));
	if (!spare)
		return false;
	for (unsigned pass = 0; pass <= 64 / DIGIT_BITS + 1; pass++) {
		if (has_one_digit(symbols, pass))
			continue;
		sort_by_digit(spare, symbols->items, symbols->count, pass);
		sorted = spare;
		spare = symbols->items;
		symbols->items = sorted;
	}
	free(spare);
	return true;
}

/* Better: all tables count. gprofng ignores .dynsym if there is a .symtab. At each
 * address only the names of the best table are kept, so that no row's name changes by
 * this. They get the largest size among them. */
static void drop_outranked(struct elf_symbols *symbols)
{
	struct elf_symbol *function = NULL;
	size_t kept = 0;

	for (size_t i = 0; i < symbols->count; i++) {
		struct elf_symbol symbol = symbols->items[i];
		bool is_alias = function && function->offset == symbol.offset;

		if (is_alias && function->table < symbol.table)
			continue;
		symbols->items[kept] = symbol;
		if (!is_alias)
			function = &symbols->items[kept];
		else if (symbol.size > function->size)
			function->size = symbol.size;
		kept++;
	}
	symbols->count = kept;
}

/* Better: the root of a stripped program has its usual name. A function of known size
 * around the entry point keeps it. */
static int add_entry(struct symbol_table *table, const struct elf *elf)
{
	struct elf_symbol entry = { .name = ENTRY_NAME, .table = ELF_TABLE_ELSEWHERE };
	struct elf_symbols *symbols = &table->symbols;
	struct symbol_range range;
	size_t place;

	if (!elf_entry(elf, &entry.offset, &entry.size))
		return 0;
	symbol_find(table, entry.offset, &range);
	if (range.count > 0 &&
	    (range.start == entry.offset || symbols->items[range.first].size > 0))
		return 0;
	if (!array_add(symbols))
		return -ENOMEM;
	for (place = symbols->count - 1;
	     place > 0 && symbols->items[place - 1].offset > entry.offset; place--)
		symbols->items[place] = symbols->items[place - 1];
	symbols->items[place] = entry;
	return 0;
}

static int complete(struct symbol_table *table, const struct elf *elf,
		    struct expt_error *err)
{
	struct elf_plt plt;
	int rc = elf_read_plt(&plt, elf, err);

	if (rc < 0)
		return rc;
	if (add_stubs(table, &plt) < 0 || !sort_symbols(&table->symbols)) {
		rc = expt_fail(err, -ENOMEM, "symbol table");
	} else {
		drop_outranked(&table->symbols);
		name_resolved(table, &plt);
		if (add_entry(table, elf) < 0)
			rc = expt_fail(err, -ENOMEM, "symbol table");
	}
	elf_plt_release(&plt);
	return rc;
}

int symbol_table_read(struct symbol_table *table, const struct elf *elf,
		      struct elf *description, const char *path,
		      const struct symbol_places *places, struct expt_error *err)
{
	int rc;

	*table = (struct symbol_table){ .end = elf_code_end(elf) };
	rc = elf_read_symbols(&table->symbols, elf, elf, err);
	if (rc == 0)
		rc = add_more_symbols(table, elf, description, path, places, err);
	else
		elf_close(description);
	if (rc == 0)
		rc = complete(table, elf, err);
	if (rc < 0)
		symbol_table_release(table);
	return rc;
}

void symbol_table_release(struct symbol_table *table)
{
	array_release(&table->symbols);
	elf_close(table->debug);
	*table = (struct symbol_table){ 0 };
}

/* ---- extents ----------------------------------------------------------------------- */

/* Returns the number of symbols with an offset below this one. */
static size_t count_below(const struct symbol_table *table, uint64_t offset)
{
	size_t low = 0, high = table->symbols.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->symbols.items[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A function reaches as far as its size says, but not into the next one. Without a size
 * it reaches to the next one. Better: the last one reaches to the end of the code;
 * gprofng makes that a gap. */
static uint64_t function_end(const struct symbol_table *table, size_t first, size_t next)
{
	const struct elf_symbol *symbols = table->symbols.items;
	uint64_t start = symbols[first].offset, end;
	uint64_t limit = next < table->symbols.count ? symbols[next].offset : UINT64_MAX;

	if (symbols[first].size == 0)
		end = limit < UINT64_MAX ? limit : table->end;
	else if (__builtin_add_overflow(start, symbols[first].size, &end) ||
		 end > INT64_MAX)
		end = INT64_MAX;
	if (end > limit)
		end = limit;
	return end > start ? end : start + 1;
}

/* Better: all gaps are equal. gprofng compares a gap's offset with the size of the code
 * segment, and names those after it "--  no functions found", with meaningless
 * offsets. */
static void find_gap(const struct symbol_table *table, uint64_t start, size_t next,
		     struct symbol_range *range)
{
	*range = (struct symbol_range){ .start = start, .end = UINT64_MAX };
	if (next < table->symbols.count)
		range->end = table->symbols.items[next].offset;
	else if (table->end > start)
		range->end = table->end;
}

void symbol_find(const struct symbol_table *table, uint64_t offset,
		 struct symbol_range *range)
{
	const struct elf_symbol *symbols = table->symbols.items;
	size_t next = offset < UINT64_MAX ? count_below(table, offset + 1)
					  : table->symbols.count;
	uint64_t end = 0;

	if (next > 0) {
		size_t first = count_below(table, symbols[next - 1].offset);

		end = function_end(table, first, next);
		if (offset < end) {
			*range = (struct symbol_range){
				.start = symbols[first].offset,
				.end = end,
				.first = first,
				.count = next - first,
				.is_plt = symbols[first].table == ELF_TABLE_PLT,
			};
			return;
		}
	}
	find_gap(table, end, next, range);
}

/* ---- names ------------------------------------------------------------------------- */

/* The shortest long form wins, then the first in byte order. For equal forms
 * (constructors C1 and C2) gprofng has no rule; the smaller symbol wins. */
static int compare_names(const struct symbol_name *a, const struct symbol_name *b)
{
	size_t x = strlen(a->long_form), y = strlen(b->long_form);
	int order;

	if (x != y)
		return x < y ? -1 : 1;
	order = strcmp(a->long_form, b->long_form);
	return order ? order : strcmp(a->symbol, b->symbol);
}

void symbol_choose(struct symbol_name *name, const struct symbol_table *table,
		   const struct symbol_range *range, struct demangler *demangler,
		   struct arena *arena)
{
	char *best = NULL, *copy;

	*name = (struct symbol_name){ 0 };
	for (size_t i = range->first; i < range->first + range->count; i++) {
		const char *symbol = table->symbols.items[i].name;
		char *long_form = demangle(demangler, symbol);
		struct symbol_name candidate = { symbol, long_form ? long_form : symbol };

		if (!name->symbol || compare_names(&candidate, name) < 0) {
			*name = candidate;
			free(best);
			best = long_form;
		} else {
			free(long_form);
		}
	}
	if (!best)
		return;
	copy = arena_text(arena, best, strlen(best));
	name->long_form = copy ? copy : name->symbol;
	free(best);
}
