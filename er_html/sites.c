/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/sites.h"

#include <stdlib.h>

#include "libexpt/base/cleanup.h"

/* ---- what is kept ---- */

static void find_files(struct sites *sites)
{
	const struct expt_tables *tables = sites->tables;

	for (size_t i = 0; i < tables->frame_count; i++) {
		const struct expt_table_frame *frame = &tables->frames[i];

		sites->file_of_frame[i] =
			frame->path ? source_files_find(&sites->code->files, frame->path)
				    : IDMAP_NONE;
	}
}

/* Check whether a view of code shows a place. */
static bool is_in_code(const struct sites *sites, const struct expt_table_place *place)
{
	const struct expt_table_frame *frames = sites->tables->frames;
	uint32_t end = place->first_frame + place->frame_count;

	for (uint32_t i = place->first_frame; i < end; i++)
		if (sites->file_of_frame[i] != IDMAP_NONE &&
		    source_files_shows(&sites->code->files, sites->file_of_frame[i],
				       frames[i].line))
			return true;
	return sites->code->is_shown[frames[end - 1].function];
}

/* Check whether a stack is one of calls that were traced. */
static bool is_traced(const struct sites *sites, size_t stack)
{
	for (size_t i = 0; i < sites->shown->metric_count; i++) {
		size_t number = sites->shown->metrics[i];
		enum expt_data data = expt_metric(sites->shown->view, number)->data;

		if ((data == EXPT_HEAP || data == EXPT_SYNC || data == EXPT_IO) &&
		    expt_tables_value(sites->tables, stack, number) != 0)
			return true;
	}
	return false;
}

static void keep_nodes(struct sites *sites)
{
	const struct expt_tables *tables = sites->tables;

	for (size_t i = 0; i < tables->stack_count; i++) {
		uint32_t node = is_traced(sites, i) ? tables->stacks[i].node : 0;

		for (; node != 0 && !sites->is_kept[node];
		     node = tables->nodes[node].parent)
			sites->is_kept[node] = true;
	}
	for (size_t i = 1; i < tables->node_count; i++)
		if (is_in_code(sites, &tables->places[tables->nodes[i].place]))
			sites->is_kept[i] = true;
}

/* Number the sites. Parents precede their children. */
static void number_sites(struct sites *sites)
{
	const struct expt_tables *tables = sites->tables;

	sites->count = 1;
	for (size_t i = 1; i < tables->node_count; i++) {
		uint32_t caller = sites->of_node[tables->nodes[i].parent];

		sites->of_node[i] = sites->is_kept[i] ? 2 * (uint32_t)sites->count++
						      : caller | 1;
	}
}

/* ---- columns ---- */

static void add_sites(struct columns *columns, struct sites *sites)
{
	const struct expt_tables *tables = sites->tables;
	uint32_t places = 0;

	columns_begin(columns, "siteParent", COLUMN_SIGNED | COLUMN_DELTA);
	columns_add(columns, 0);
	for (size_t i = 1; i < tables->node_count; i++)
		if (sites->is_kept[i])
			columns_add(columns, sites->of_node[tables->nodes[i].parent] / 2);
	columns_begin(columns, "sitePlace", COLUMN_PLAIN);
	columns_add(columns, 0);
	for (size_t i = 1; i < tables->node_count; i++) {
		uint32_t *number = &sites->number_of_place[tables->nodes[i].place];

		if (!sites->is_kept[i])
			continue;
		if (*number == 0)
			*number = ++places;
		columns_add(columns, *number);
	}
}

/* ---- places ---- */

/* Offsets are those in the function that has the address. */
static int64_t offset_of(const struct sites *sites, const struct expt_table_place *place)
{
	uint32_t last = place->first_frame + place->frame_count - 1;
	const struct expt_row *row =
		expt_row(sites->tables->functions, sites->tables->frames[last].function);

	return row->function && place->object != EXPT_TABLE_NONE
		       ? (int64_t)(place->address - expt_function_offset(row->function))
		       : 0;
}

/* Call a function for the places that are used, in the order of their numbers. */
static bool each_place(struct columns *columns, const struct sites *sites,
		       void (*add)(struct columns *columns, const struct sites *sites,
				   const struct expt_table_place *place))
{
	const struct expt_tables *tables = sites->tables;
	cleanup_free uint32_t *places = calloc(tables->place_count + 1, sizeof(*places));
	uint32_t count = 0;

	for (size_t i = 0; i < tables->place_count && places; i++)
		if (sites->number_of_place[i] > 0) {
			places[sites->number_of_place[i] - 1] = (uint32_t)i;
			count++;
		}
	for (uint32_t i = 0; i < count; i++)
		add(columns, sites, &tables->places[places[i]]);
	return places;
}

static void add_offset(struct columns *columns, const struct sites *sites,
		       const struct expt_table_place *place)
{
	columns_add(columns, offset_of(sites, place));
}

static void add_count(struct columns *columns, const struct sites *sites,
		      const struct expt_table_place *place)
{
	columns_add(columns, place->frame_count);
}

static void add_functions(struct columns *columns, const struct sites *sites,
			  const struct expt_table_place *place)
{
	for (uint32_t i = 0; i < place->frame_count; i++)
		columns_add(columns,
			    sites->tables->frames[place->first_frame + i].function);
}

static void add_files(struct columns *columns, const struct sites *sites,
		      const struct expt_table_place *place)
{
	for (uint32_t i = 0; i < place->frame_count; i++) {
		const char *path = sites->tables->frames[place->first_frame + i].path;
		uint32_t file = path ? source_files_add(&sites->code->files, path)
				     : IDMAP_NONE;

		if (path && file == IDMAP_NONE)
			columns->is_short = true;
		columns_add(columns, file == IDMAP_NONE ? 0 : (int64_t)file + 1);
	}
}

static void add_lines(struct columns *columns, const struct sites *sites,
		      const struct expt_table_place *place)
{
	for (uint32_t i = 0; i < place->frame_count; i++)
		columns_add(columns, sites->tables->frames[place->first_frame + i].line);
}

static bool add_places(struct columns *columns, const struct sites *sites)
{
	static const struct {
		const char *name;
		unsigned form;
		void (*add)(struct columns *columns, const struct sites *sites,
			    const struct expt_table_place *place);
	} list[] = {
		{ "placeOffset", COLUMN_SIGNED, add_offset },
		{ "placeFrames", COLUMN_PLAIN, add_count },
		{ "frameFunction", COLUMN_PLAIN, add_functions },
		{ "frameFile", COLUMN_PLAIN, add_files },
		{ "frameLine", COLUMN_SIGNED | COLUMN_DELTA, add_lines },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		columns_begin(columns, list[i].name, list[i].form);
		if (!each_place(columns, sites, list[i].add))
			return false;
	}
	return true;
}

void sites_release(struct sites *sites)
{
	free(sites->file_of_frame);
	free(sites->is_kept);
	free(sites->number_of_place);
	free(sites->of_node);
}

bool sites_make(struct sites *sites, const struct shown *shown, struct code *code)
{
	const struct expt_tables *tables = shown->tables;

	*sites = (struct sites){
		.shown = shown,
		.tables = tables,
		.code = code,
		.file_of_frame = calloc(tables->frame_count + 1, sizeof(uint32_t)),
		.is_kept = calloc(tables->node_count + 1, sizeof(bool)),
		.number_of_place = calloc(tables->place_count + 1, sizeof(uint32_t)),
		.of_node = calloc(tables->node_count + 1, sizeof(uint32_t)),
	};
	if (!sites->file_of_frame || !sites->is_kept || !sites->number_of_place ||
	    !sites->of_node)
		return false;
	find_files(sites);
	keep_nodes(sites);
	number_sites(sites);
	return true;
}

bool sites_add(struct columns *columns, struct sites *sites)
{
	add_sites(columns, sites);
	return add_places(columns, sites);
}
