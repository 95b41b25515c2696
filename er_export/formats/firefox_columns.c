/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/formats/firefox_columns.h"

#include "er_export/formats/private.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/write.h"

#define RESOURCE_LIBRARY 1

static void put(struct firefox *firefox, const char *text)
{
	fputs(text, firefox->out);
}

/* ---- columns ---- */

void firefox_column(struct firefox *firefox, const char *name, size_t count,
		    firefox_cell *cell)
{
	fprintf(firefox->out, "\"%s\":[", name);
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			putc_unlocked(',', firefox->out);
		cell(firefox, i);
	}
	put(firefox, "],");
}

static void end_table(struct firefox *firefox, size_t count, const char *end)
{
	fprintf(firefox->out, "\"length\":%zu}%s", count, end);
}

static void cell_zero(struct firefox *firefox, size_t i)
{
	put(firefox, "0");
}

static void cell_null(struct firefox *firefox, size_t i)
{
	put(firefox, "null");
}

static void cell_false(struct firefox *firefox, size_t i)
{
	put(firefox, "false");
}

static void put_number_or_null(struct firefox *firefox, uint32_t number, uint32_t none)
{
	if (number == none)
		put(firefox, "null");
	else
		write_number(firefox->out, number);
}

static void put_string(struct firefox *firefox, const char *text)
{
	write_number(firefox->out, strings_number(&firefox->strings, text));
}

/* ---- stacks and frames ---- */

static void cell_stack_frame(struct firefox *firefox, size_t i)
{
	write_number(firefox->out, firefox->own.stacks.items[i].frame);
}

static void cell_stack_prefix(struct firefox *firefox, size_t i)
{
	put_number_or_null(firefox, firefox->own.stacks.items[i].prefix, FIREFOX_NONE);
}

static void write_stacks(struct firefox *firefox)
{
	size_t count = firefox->own.stacks.count;

	put(firefox, "\"stackTable\":{");
	firefox_column(firefox, "frame", count, cell_stack_frame);
	firefox_column(firefox, "prefix", count, cell_stack_prefix);
	end_table(firefox, count, ",\n");
}

static const struct expt_table_frame *frame_of(const struct firefox *firefox, size_t i)
{
	return &firefox->own.whole->frames[firefox->own.frames.list.items[i]];
}

static const struct expt_table_place *place_of(const struct firefox *firefox, size_t i)
{
	uint32_t frame = firefox->own.frames.list.items[i];

	return &firefox->own.whole->places[firefox->own.place_of_frame[frame]];
}

static void cell_address(struct firefox *firefox, size_t i)
{
	const struct expt_table_place *place = place_of(firefox, i);

	if (place->object == EXPT_TABLE_NONE)
		put(firefox, "-1");
	else
		write_number(firefox->out, place->address);
}

/* The outermost function has the depth 0. */
static void cell_depth(struct firefox *firefox, size_t i)
{
	const struct expt_table_place *place = place_of(firefox, i);
	uint32_t frame = firefox->own.frames.list.items[i];

	write_number(firefox->out, place->first_frame + place->frame_count - 1 - frame);
}

static void cell_category(struct firefox *firefox, size_t i)
{
	write_number(firefox->out, place_of(firefox, i)->object == EXPT_TABLE_NONE
					   ? 0
					   : FIREFOX_CATEGORY_PROGRAM);
}

static void cell_frame_function(struct firefox *firefox, size_t i)
{
	write_number(firefox->out, firefox_tables_number(&firefox->own.functions,
							 frame_of(firefox, i)->function));
}

static void cell_frame_symbol(struct firefox *firefox, size_t i)
{
	const struct expt_table_place *place = place_of(firefox, i);
	uint32_t last = place->first_frame + place->frame_count - 1;
	const struct expt_table_frame *frames = firefox->own.whole->frames;

	if (place->object == EXPT_TABLE_NONE)
		put(firefox, "null");
	else
		write_number(firefox->out, firefox_tables_number(&firefox->own.symbols,
								 frames[last].function));
}

static void cell_line(struct firefox *firefox, size_t i)
{
	put_number_or_null(firefox, frame_of(firefox, i)->line, 0);
}

static void cell_column(struct firefox *firefox, size_t i)
{
	put_number_or_null(firefox, frame_of(firefox, i)->column, 0);
}

static void write_frames(struct firefox *firefox)
{
	size_t count = firefox->own.frames.list.count;

	put(firefox, "\"frameTable\":{");
	firefox_column(firefox, "address", count, cell_address);
	firefox_column(firefox, "inlineDepth", count, cell_depth);
	firefox_column(firefox, "category", count, cell_category);
	firefox_column(firefox, "subcategory", count, cell_zero);
	firefox_column(firefox, "func", count, cell_frame_function);
	firefox_column(firefox, "nativeSymbol", count, cell_frame_symbol);
	firefox_column(firefox, "innerWindowID", count, cell_zero);
	firefox_column(firefox, "line", count, cell_line);
	firefox_column(firefox, "column", count, cell_column);
	end_table(firefox, count, ",\n");
}

/* ---- functions and load objects ---- */

static uint32_t function_of(const struct firefox *firefox, size_t i)
{
	return firefox->own.functions.list.items[i];
}

static void cell_function_name(struct firefox *firefox, size_t i)
{
	put_string(firefox, function_name(firefox->source, function_of(firefox, i)));
}

static void cell_function_object(struct firefox *firefox, size_t i)
{
	uint32_t object = firefox->own.object_of_function[function_of(firefox, i)];

	if (object == EXPT_TABLE_NONE)
		put(firefox, "-1");
	else
		write_number(firefox->out,
			     firefox_tables_number(&firefox->own.objects, object));
}

static void cell_function_file(struct firefox *firefox, size_t i)
{
	uint32_t line;
	const char *path =
		function_source(firefox->source, function_of(firefox, i), &line);

	if (path)
		put_string(firefox, path);
	else
		put(firefox, "null");
}

static void cell_function_line(struct firefox *firefox, size_t i)
{
	uint32_t line;

	function_source(firefox->source, function_of(firefox, i), &line);
	put_number_or_null(firefox, line, 0);
}

static void write_functions(struct firefox *firefox)
{
	size_t count = firefox->own.functions.list.count;

	put(firefox, "\"funcTable\":{");
	firefox_column(firefox, "name", count, cell_function_name);
	firefox_column(firefox, "isJS", count, cell_false);
	firefox_column(firefox, "relevantForJS", count, cell_false);
	firefox_column(firefox, "resource", count, cell_function_object);
	firefox_column(firefox, "fileName", count, cell_function_file);
	firefox_column(firefox, "lineNumber", count, cell_function_line);
	firefox_column(firefox, "columnNumber", count, cell_null);
	end_table(firefox, count, ",\n");
}

static const struct expt_object *object_of(const struct firefox *firefox, size_t i)
{
	return firefox->own.whole->objects[firefox->own.objects.list.items[i]];
}

static void cell_object(struct firefox *firefox, size_t i)
{
	write_number(firefox->out, firefox->own.objects.list.items[i]);
}

static void cell_object_name(struct firefox *firefox, size_t i)
{
	put_string(firefox, path_base(expt_object_path(object_of(firefox, i))));
}

static void cell_library(struct firefox *firefox, size_t i)
{
	write_number(firefox->out, RESOURCE_LIBRARY);
}

static void write_resources(struct firefox *firefox)
{
	size_t count = firefox->own.objects.list.count;

	put(firefox, "\"resourceTable\":{");
	firefox_column(firefox, "lib", count, cell_object);
	firefox_column(firefox, "name", count, cell_object_name);
	firefox_column(firefox, "host", count, cell_null);
	firefox_column(firefox, "type", count, cell_library);
	end_table(firefox, count, ",\n");
}

static uint32_t symbol_of(const struct firefox *firefox, size_t i)
{
	return firefox->own.symbols.list.items[i];
}

static const struct expt_function *code_of(const struct firefox *firefox, size_t i)
{
	return expt_row(firefox->own.whole->functions, symbol_of(firefox, i))->function;
}

static void cell_symbol_object(struct firefox *firefox, size_t i)
{
	write_number(firefox->out,
		     firefox->own.object_of_function[symbol_of(firefox, i)]);
}

static void cell_symbol_address(struct firefox *firefox, size_t i)
{
	const struct expt_function *function = code_of(firefox, i);

	write_number(firefox->out, function ? expt_function_offset(function) : 0);
}

static void cell_symbol_name(struct firefox *firefox, size_t i)
{
	put_string(firefox, function_name(firefox->source, symbol_of(firefox, i)));
}

static void cell_symbol_size(struct firefox *firefox, size_t i)
{
	const struct expt_function *function = code_of(firefox, i);

	if (function)
		write_number(firefox->out, expt_function_size(function));
	else
		put(firefox, "null");
}

static void write_symbols(struct firefox *firefox)
{
	size_t count = firefox->own.symbols.list.count;

	put(firefox, "\"nativeSymbols\":{");
	firefox_column(firefox, "libIndex", count, cell_symbol_object);
	firefox_column(firefox, "address", count, cell_symbol_address);
	firefox_column(firefox, "name", count, cell_symbol_name);
	firefox_column(firefox, "functionSize", count, cell_symbol_size);
	end_table(firefox, count, "");
}

void firefox_write_tables(struct firefox *firefox)
{
	write_stacks(firefox);
	write_frames(firefox);
	write_functions(firefox);
	write_resources(firefox);
	write_symbols(firefox);
}
