/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of load objects that leave memory; the rows of functions stay. */
#include <string.h>

#include "libexpt/objects/function.h"

/* Make all that is asked of a row independent of the symbol table, but for its aliases.
 * false: out of memory. */
static bool keep_row(struct expt_function *function)
{
	const char *symbol = expt_function_name(function, EXPT_NAME_MANGLED), *kept;

	expt_function_whole(function);
	if (function->is_kept || function->count == 0 || function->is_plt)
		return true;
	kept = arena_text(&function->object->table->strings, symbol, strlen(symbol));
	if (!kept)
		return false;
	if (function->long_name == symbol)
		function->long_name = kept;
	if (function->short_name == symbol)
		function->short_name = kept;
	function->symbol = kept;
	return function->is_kept = true;
}

/* Rows can be added while others are kept. Debug data use the file, and are rarely asked
 * for. */
static void release_symbols(struct expt_object *object)
{
	if (!object->is_file || !object->elf || object->debug || object->has_other_debug)
		return;
	for (size_t i = 0; i < object->rows.count; i++)
		if (!keep_row(object->rows.items[i]))
			return;
	outlined_index_unload(&object->outlined);
	symbol_table_release(&object->symbols);
	object->symbols = (struct symbol_table){ .debug = NULL };
	elf_close(object->elf);
	object->elf = NULL;
	object->is_loaded = false;
}

void expt_release_symbols(struct expt *expt)
{
	struct object_table *table = expt->founder->objects;

	for (size_t i = 1; table && i < table->objects.count; i++)
		release_symbols(table->objects.items[i]);
}
