/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/sites.h"

#include <stdlib.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"

struct sites {
	const struct shown *shown;
	const struct expt_tables *tables;
	struct code *code;
	uint32_t *file_of_frame;   /* IDMAP_NONE: not among those of the code */
	bool *is_kept;		   /* of the nodes of the tables */
	uint32_t *site_of_node;	   /* itself or the nearest above that is kept */
	uint32_t *number_of_place; /* 0: not used; else counted from 1 */
	uint32_t *number_of_stack; /* IDMAP_NONE: at no site */
	uint64_t *stacks;	   /* by number: site and thread */
	size_t stack_count;
};

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

/* ---- columns ---- */

static void add_sites(struct columns *columns, struct sites *sites)
{
	const struct expt_tables *tables = sites->tables;
	uint32_t count = 1, places = 0;

	columns_begin(columns, "siteParent", COLUMN_SIGNED | COLUMN_DELTA);
	columns_add(columns, 0);
	for (size_t i = 1; i < tables->node_count; i++) {
		uint32_t parent = sites->site_of_node[tables->nodes[i].parent];

		sites->site_of_node[i] = sites->is_kept[i] ? count++ : parent;
		if (sites->is_kept[i])
			columns_add(columns, parent);
	}
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

/* ---- the events of a thread at a site ---- */

/* Number the stacks of the tables by site and thread. A site's number is doubled, and odd
 * for events at a place that was left out. false: out of memory. */
static bool find_stacks(struct sites *sites)
{
	const struct expt_tables *tables = sites->tables;
	struct idmap known = { 0 };
	bool is_good = true;

	for (size_t i = 0; i < tables->stack_count && is_good; i++) {
		uint32_t node = tables->stacks[i].node, thread = tables->stacks[i].thread;
		uint32_t site = sites->site_of_node[node];
		uint64_t key = (2 * (uint64_t)site + !sites->is_kept[node]) << 32 |
			       thread;
		uint32_t *slot = site != 0 ? idmap_add(&known, key) : NULL;

		sites->number_of_stack[i] = IDMAP_NONE;
		if (site == 0)
			continue;
		is_good = slot;
		if (slot && *slot == IDMAP_NONE) {
			sites->stacks[sites->stack_count] = key;
			*slot = (uint32_t)sites->stack_count++;
		}
		sites->number_of_stack[i] = slot ? *slot : IDMAP_NONE;
	}
	idmap_release(&known);
	return is_good;
}

static bool add_values(struct columns *columns, const struct sites *sites, size_t metric,
		       const char *name)
{
	const struct expt_tables *tables = sites->tables;
	cleanup_free int64_t *values = calloc(sites->stack_count + 1, sizeof(*values));

	for (size_t i = 0; i < tables->stack_count && values; i++)
		if (sites->number_of_stack[i] != IDMAP_NONE)
			add_saturated(&values[sites->number_of_stack[i]],
				      expt_tables_value(tables, i, metric));
	columns_begin(columns, name, COLUMN_SIGNED);
	for (size_t i = 0; i < sites->stack_count && values; i++)
		columns_add(columns, values[i]);
	return values;
}

static bool add_stacks(struct columns *columns, struct sites *sites, struct arena *names)
{
	columns_begin(columns, "siteStack", COLUMN_SIGNED | COLUMN_DELTA);
	for (size_t i = 0; i < sites->stack_count; i++)
		columns_add(columns, (int64_t)(sites->stacks[i] >> 32));
	columns_begin(columns, "siteThread", COLUMN_PLAIN);
	for (size_t i = 0; i < sites->stack_count; i++)
		columns_add(columns, (uint32_t)sites->stacks[i]);
	for (size_t i = 0; i < sites->shown->metric_count; i++) {
		size_t metric = sites->shown->metrics[i];
		char name[128];
		int length = snprintf(name, sizeof(name), "site.%s",
				      expt_metric(sites->shown->view, metric)->name);
		const char *kept = arena_text(names, name, (size_t)length);

		if (!kept || !add_values(columns, sites, metric, kept))
			return false;
	}
	return true;
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

static void release(struct sites *sites)
{
	free(sites->file_of_frame);
	free(sites->is_kept);
	free(sites->site_of_node);
	free(sites->number_of_place);
	free(sites->number_of_stack);
	free(sites->stacks);
}

static bool make(struct sites *sites)
{
	const struct expt_tables *tables = sites->tables;

	sites->file_of_frame = calloc(tables->frame_count + 1, sizeof(uint32_t));
	sites->is_kept = calloc(tables->node_count + 1, sizeof(bool));
	sites->site_of_node = calloc(tables->node_count + 1, sizeof(uint32_t));
	sites->number_of_place = calloc(tables->place_count + 1, sizeof(uint32_t));
	sites->number_of_stack = calloc(tables->stack_count + 1, sizeof(uint32_t));
	sites->stacks = calloc(tables->stack_count + 1, sizeof(uint64_t));
	return sites->file_of_frame && sites->is_kept && sites->site_of_node &&
	       sites->number_of_place && sites->number_of_stack && sites->stacks;
}

bool sites_add(struct columns *columns, struct arena *names, const struct shown *shown,
	       struct code *code)
{
	struct sites sites = { .shown = shown, .tables = shown->tables, .code = code };
	bool is_good = make(&sites);

	if (is_good) {
		find_files(&sites);
		keep_nodes(&sites);
		add_sites(columns, &sites);
		is_good = find_stacks(&sites) && add_stacks(columns, &sites, names) &&
			  add_places(columns, &sites);
	}
	release(&sites);
	return is_good;
}
