/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/row_keys.h"

#include <string.h>

#include "libexpt/analysis/identity.h"
#include "libexpt/analysis/object_modes.h"
#include "libexpt/base/array.h"
#include "libexpt/base/path.h"
#include "libexpt/format.h"

struct row *rows_add(struct expt_rows *rows)
{
	const struct expt_view *view = rows->view;
	struct row *row = array_add(&rows->rows);

	if (!row || !figures_make(&row->exclusive, view, view->groups, &rows->values) ||
	    !figures_make(&row->inclusive, view, view->groups, &rows->values))
		return NULL;
	row->shown.by = rows->by;
	return row;
}

bool rows_add_first(struct expt_rows *rows)
{
	static const char *const names[] = {
		[EXPT_ROW_TOTAL] = "<Total>",
		[EXPT_ROW_TRUNCATED] = "<Truncated-stack>",
		[EXPT_ROW_FAILED] = "<Stack-unwind-failed>",
	};

	for (size_t i = 0; i < EXPT_ROW_FIRST; i++) {
		struct row *row = rows_add(rows);

		if (!row)
			return false;
		row->shown.name = names[i];
	}
	return true;
}

/* Returns the row with one of the keys: that of a pointer, and that of what is the same
 * in several founders, of which each has its own pointer. A new row is empty. */
static uint32_t row_of_keys(struct expt_rows *rows, const void *pointer,
			    uint32_t *(*find_identity)(struct expt_rows *rows,
						       const void *pointer))
{
	uint32_t *slot = idmap_add(&rows->by_key, (uintptr_t)pointer), *same = NULL;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	if (rows->view->founders > 1) {
		same = find_identity(rows, pointer);
		if (!same)
			return IDMAP_NONE;
		if (*same != IDMAP_NONE)
			return *slot = *same;
	}
	if (!rows_add(rows))
		return IDMAP_NONE;
	*slot = (uint32_t)(rows->rows.count - 1);
	if (same)
		*same = *slot;
	return *slot;
}

static enum expt_object_mode mode_of(const struct expt_rows *rows,
				     const struct expt_object *object)
{
	return object_modes_find(&rows->view->object_modes, object);
}

uint32_t rows_of_function(struct expt_rows *rows, const struct expt_function *function)
{
	uint32_t row = row_of_keys(rows, function, identity_of_function);
	struct expt_row *shown;

	if (row == IDMAP_NONE)
		return row;
	shown = &rows->rows.items[row].shown;
	if (!shown->function) {
		shown->function = function;
		shown->object = expt_function_object(function);
		rows->rows.items[row].is_api = mode_of(rows, shown->object) ==
					       EXPT_OBJECT_API;
	}
	return row;
}

static uint32_t row_of_object(struct expt_rows *rows, const struct expt_object *object)
{
	uint32_t row = row_of_keys(rows, object, identity_of_object);

	if (row != IDMAP_NONE && !rows->rows.items[row].shown.object)
		rows->rows.items[row].shown.object = object;
	return row;
}

/* Returns the row of the function that a place counts for. Rows by address and by line
 * ask the rows by function, so that those of several founders count as there. */
static uint32_t function_of_place(struct expt_rows *rows, const struct expt_place *place)
{
	const struct expt_function *function = place->function;

	if (rows->by != EXPT_BY_PC && !rows->view->is_outlined)
		function = expt_function_whole(function);
	return rows_of_function(rows->functions ? rows->functions : rows, function);
}

/* Returns the row with the key, which is made with the function of a row by function. */
static uint32_t row_in_function(struct expt_rows *rows, uint64_t key, uint32_t function,
				const struct expt_row *like)
{
	uint32_t *slot = idmap_add(&rows->by_key, key);
	struct row *row;

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	row = rows_add(rows);
	if (!row)
		return IDMAP_NONE;
	row->shown = *like;
	row->shown.by = rows->by;
	row->shown.function = rows->functions->rows.items[function].shown.function;
	row->shown.object = expt_function_object(row->shown.function);
	row->is_api = mode_of(rows, row->shown.object) == EXPT_OBJECT_API;
	return *slot = (uint32_t)(rows->rows.count - 1);
}

static uint32_t row_of_offset(struct expt_rows *rows, const struct expt_place *place)
{
	uint32_t function = function_of_place(rows, place);
	uint64_t words[2] = { function, place->offset };

	if (function == IDMAP_NONE)
		return IDMAP_NONE;
	return row_in_function(rows, idmap_key(IDMAP_KEY, words, sizeof(words)), function,
			       &(struct expt_row){ .offset = place->offset });
}

/* Sources of builds that are compared may be in different directories. A line of a source
 * is one row for all functions that have it. */
static uint32_t row_of_line(struct expt_rows *rows, uint32_t function,
			    const struct expt_position *position)
{
	bool has_line = position && position->path && position->line > 0;
	const char *path = has_line ? position->path : "";
	uint64_t words[2] = { rows->by == EXPT_BY_LINE ? function : 0,
			      has_line ? position->line : 0 };
	uint64_t key;

	if (function == IDMAP_NONE)
		return IDMAP_NONE;
	key = idmap_text_key(IDMAP_KEY, rows->view->groups > 1 ? path_base(path) : path);
	return row_in_function(rows, idmap_key(key, words, sizeof(words)), function,
			       &(struct expt_row){
				       .path = has_line ? path : NULL,
				       .line = has_line ? position->line : 0,
			       });
}

/* ---- places ---- */

static uint32_t row_of_folded(struct expt_rows *rows, const struct expt_object *object)
{
	uint32_t row = row_of_object(rows, object);

	if (row != IDMAP_NONE) {
		rows->rows.items[row].is_folded = true;
		rows->rows.items[row].shown.name = expt_object_name(object);
	}
	return row;
}

static bool is_folded(const struct expt_rows *rows, const struct expt_place *place)
{
	return rows->by != EXPT_BY_OBJECT &&
	       mode_of(rows, expt_function_object(place->function)) == EXPT_OBJECT_HIDE;
}

static bool has_lines(const struct expt_rows *rows)
{
	return rows->by == EXPT_BY_LINE || rows->by == EXPT_BY_SOURCE_LINE;
}

/* A call of a wrapper is shown as the call that the program made: what the recorder
 * inlined into it is not the program's. */
static bool is_wrapper(const struct expt_place *place)
{
	static const char *const libraries[] = {
		COLLECTOR_LIBRARY,	COLLECTOR_HEAP_LIBRARY,
		COLLECTOR_SYNC_LIBRARY, COLLECTOR_IO_LIBRARY,
		COLLECTOR_MPI_LIBRARY,	COLLECTOR_DEADLOCK_LIBRARY,
		COLLECTOR_RACE_LIBRARY,
	};
	const char *path = expt_object_path(expt_function_object(place->function));

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (strcmp(path_base(path), libraries[i]) == 0)
			return true;
	return false;
}

size_t rows_inlined(const struct expt_rows *rows, const struct expt_place *place,
		    const struct expt_position **positions)
{
	size_t count;

	if (!rows->view->is_inlined || is_folded(rows, place) ||
	    (rows->by != EXPT_BY_FUNCTION && !has_lines(rows)) || is_wrapper(place))
		return 0;
	count = expt_place_positions(place, positions);
	return count > 0 ? count - 1 : 0;
}

uint32_t rows_of_inlined(struct expt_rows *rows, const struct expt_position *position)
{
	struct expt_rows *functions = rows->functions ? rows->functions : rows;
	uint32_t function = rows_of_function(functions, position->function);

	return has_lines(rows) ? row_of_line(rows, function, position) : function;
}

uint32_t rows_of_place(struct expt_rows *rows, const struct expt_place *place)
{
	const struct expt_position *positions;
	size_t count;

	if (is_folded(rows, place))
		return row_of_folded(rows, expt_function_object(place->function));
	if (rows->by == EXPT_BY_OBJECT)
		return row_of_object(rows, expt_function_object(place->function));
	if (rows->by == EXPT_BY_PC)
		return row_of_offset(rows, place);
	if (!has_lines(rows))
		return function_of_place(rows, place);
	count = expt_place_positions(place, &positions);
	if (count == 0)
		return row_of_line(rows, function_of_place(rows, place), NULL);
	return row_of_line(rows, function_of_place(rows, place),
			   &positions[rows->view->is_inlined ? count - 1 : 0]);
}
