/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of callgrind: the costs of lines, and of calls from lines. A function that
 * occurs several times on a stack gives the cost of its call only from the occurrence
 * nearest to the leaf, so that no function has more than all of the events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "er_export/formats/private.h"
#include "er_export/formats/strings.h"
#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/write.h"

#define NO_CALLEE UINT32_MAX
#define NO_FILE	  "???" /* as callgrind names it */

/* A line of a function, or a call from it, with its costs. */
struct cost {
	uint32_t function, callee;
	uint32_t path; /* number of a text */
	uint32_t line;
	uint32_t object, callee_object;
	size_t values; /* number of the first */
};

struct callgrind {
	const struct source *source;
	struct {
		struct cost *items;
		size_t count, capacity;
	} costs;
	struct {
		int64_t *items;
		size_t count, capacity;
	} values;
	struct idmap by_key;
	struct strings strings;
	struct {
		struct path_frame {
			uint32_t function, path, line, object;
		} * items; /* of the current stack, leaf first */
		size_t count, capacity;
	} path;
	uint32_t *path_of_frame;
	uint32_t *visits, visit; /* for each function: the last stack that had it */
	/* Names that have been written, by number: objects, paths, functions. */
	bool *has_object, *has_path, *has_function;
};

/* ---- costs ---- */

static struct cost *add_cost(struct callgrind *grind, const struct path_frame *frame,
			     uint32_t callee, uint32_t callee_object)
{
	struct cost *cost = array_add(&grind->costs);

	if (!cost)
		return NULL;
	*cost = (struct cost){
		.function = frame->function,
		.callee = callee,
		.path = frame->path,
		.line = frame->line,
		.object = frame->object,
		.callee_object = callee_object,
		.values = grind->values.count,
	};
	for (size_t i = 0; i < grind->source->metric_count; i++)
		if (!array_add(&grind->values))
			return NULL;
	return cost;
}

static bool count(struct callgrind *grind, size_t stack, const struct path_frame *frame,
		  const struct path_frame *callee)
{
	uint32_t words[4] = { frame->function, callee ? callee->function : NO_CALLEE,
			      frame->path, frame->line };
	uint32_t *slot =
		idmap_add(&grind->by_key, idmap_key(IDMAP_KEY, words, sizeof(words)));
	const struct source *source = grind->source;
	int64_t *values;

	if (!slot)
		return false;
	if (*slot == IDMAP_NONE) {
		if (!add_cost(grind, frame, words[1],
			      callee ? callee->object : EXPT_TABLE_NONE))
			return false;
		*slot = (uint32_t)(grind->costs.count - 1);
	}
	values = &grind->values.items[grind->costs.items[*slot].values];
	for (size_t i = 0; i < source->metric_count; i++)
		add_saturated(&values[i], expt_tables_value(source->tables, stack,
							    source->metrics[i]));
	return true;
}

/* ---- stacks ---- */

static bool add_frames(struct callgrind *grind, uint32_t number)
{
	const struct expt_tables *tables = grind->source->tables;
	const struct expt_table_place *place = &tables->places[number];

	for (uint32_t i = 0; i < place->frame_count; i++) {
		const struct expt_table_frame *frame =
			&tables->frames[place->first_frame + i];
		struct path_frame *added = array_add(&grind->path);

		if (!added)
			return false;
		added->function = frame->function;
		added->path = grind->path_of_frame[place->first_frame + i];
		added->line = frame->line;
		added->object = place->object;
	}
	return true;
}

static bool find_path(struct callgrind *grind, uint32_t node)
{
	const struct expt_table_node *nodes = grind->source->tables->nodes;

	grind->path.count = 0;
	for (; node != 0; node = nodes[node].parent)
		if (!add_frames(grind, nodes[node].place))
			return false;
	return true;
}

static bool is_counted(const struct source *source, size_t stack)
{
	for (size_t i = 0; i < source->metric_count; i++)
		if (expt_tables_value(source->tables, stack, source->metrics[i]) != 0)
			return true;
	return false;
}

/* Events without a stack are those of row <Total>, which is no function. */
static bool count_without_stack(struct callgrind *grind, size_t stack)
{
	struct path_frame none = {
		.function = EXPT_ROW_TOTAL,
		.path = strings_number(&grind->strings, NO_FILE),
		.object = EXPT_TABLE_NONE,
	};

	return count(grind, stack, &none, NULL);
}

static bool count_stack(struct callgrind *grind, size_t stack)
{
	const struct path_frame *path;

	if (!find_path(grind, grind->source->tables->stacks[stack].node))
		return false;
	if (grind->path.count == 0)
		return count_without_stack(grind, stack);
	path = grind->path.items;
	grind->visit++;
	for (size_t i = 0; i < grind->path.count; i++) {
		uint32_t *visit = &grind->visits[path[i].function];

		if (*visit != grind->visit &&
		    !count(grind, stack, &path[i], i > 0 ? &path[i - 1] : NULL))
			return false;
		*visit = grind->visit;
	}
	return true;
}

static bool count_all(struct callgrind *grind)
{
	for (size_t i = 0; i < grind->source->tables->stack_count; i++)
		if (is_counted(grind->source, i) && !count_stack(grind, i))
			return false;
	return !grind->strings.is_short;
}

/* ---- text ---- */

static void write_name(FILE *out, const char *key, bool *is_known, uint32_t number,
		       const char *name)
{
	fprintf(out, "%s=(%u)", key, number + 1);
	if (!*is_known) {
		putc_unlocked(' ', out);
		write_line(out, name, "", 0);
	}
	putc_unlocked('\n', out);
	*is_known = true;
}

static void write_object(FILE *out, struct callgrind *grind, const char *key,
			 uint32_t object)
{
	const struct expt_tables *tables = grind->source->tables;

	/* The end of incomplete stacks is in no object. */
	if (object == EXPT_TABLE_NONE)
		write_name(out, key, &grind->has_object[tables->object_count],
			   (uint32_t)tables->object_count, NO_FILE);
	else
		write_name(out, key, &grind->has_object[object], object,
			   expt_object_path(tables->objects[object]));
}

static void write_path(FILE *out, struct callgrind *grind, const char *key, uint32_t path)
{
	write_name(out, key, &grind->has_path[path], path,
		   grind->strings.all.items[path]);
}

static void write_function(FILE *out, struct callgrind *grind, const char *key,
			   uint32_t function)
{
	write_name(out, key, &grind->has_function[function], function,
		   function == EXPT_ROW_TOTAL ? NO_STACK
					      : function_name(grind->source, function));
}

static void write_values(FILE *out, const struct callgrind *grind, uint32_t line,
			 const int64_t *values)
{
	write_number(out, line);
	for (size_t i = 0; i < grind->source->metric_count; i++) {
		putc_unlocked(' ', out);
		write_signed(out, values[i]);
	}
	putc_unlocked('\n', out);
}

/* Where a function is defined, as a path that the costs have, too. */
static uint32_t home_of(struct callgrind *grind, uint32_t function, uint32_t *line)
{
	const char *path = NULL;

	*line = 0;
	if (function != EXPT_ROW_TOTAL)
		path = function_source(grind->source, function, line);
	return strings_number(&grind->strings, path ? path : NO_FILE);
}

static void write_cost(FILE *out, struct callgrind *grind, const struct cost *cost)
{
	const int64_t *values = &grind->values.items[cost->values];
	uint32_t line;

	write_path(out, grind, "fe", cost->path);
	if (cost->callee != NO_CALLEE) {
		uint32_t home = home_of(grind, cost->callee, &line);

		write_object(out, grind, "cob", cost->callee_object);
		write_path(out, grind, "cfi", home);
		write_function(out, grind, "cfn", cost->callee);
		fputs("calls=1 ", out);
		write_number(out, line);
		putc_unlocked('\n', out);
	}
	write_values(out, grind, cost->line, values);
}

static int compare(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	/* The line's own cost, which has no callee, comes first. */
	return x->callee + 1 < y->callee + 1 ? -1 : x->callee + 1 > y->callee + 1;
}

static void write_costs(FILE *out, struct callgrind *grind)
{
	uint32_t function = NO_CALLEE, line;

	for (size_t i = 0; i < grind->costs.count && !ferror(out); i++) {
		const struct cost *cost = &grind->costs.items[i];

		if (cost->function != function) {
			putc_unlocked('\n', out);
			write_object(out, grind, "ob", cost->object);
			write_path(out, grind, "fl",
				   home_of(grind, cost->function, &line));
			write_function(out, grind, "fn", cost->function);
		}
		function = cost->function;
		write_cost(out, grind, cost);
	}
}

static void write_summary(FILE *out, const struct source *source)
{
	for (size_t i = 0; i < source->metric_count; i++) {
		int64_t total = 0;

		for (size_t j = 0; j < source->tables->stack_count; j++)
			add_saturated(&total, expt_tables_value(source->tables, j,
								source->metrics[i]));
		putc_unlocked(' ', out);
		write_signed(out, total);
	}
	putc_unlocked('\n', out);
}

static void write_header(FILE *out, const struct source *source)
{
	const struct expt_info *info = expt_info(expt_view_expt(source->view, 0));

	fputs("# callgrind format\nversion: 1\ncreator: erkit\n", out);
	fprintf(out, "pid: %lld\ncmd: ", (long long)info->pid);
	write_line(out, info->command, "", 0);
	fputs("\npart: 1\n\npositions: line\n", out);
	for (size_t i = 0; i < source->metric_count; i++) {
		const struct expt_metric *metric = source_metric(source, i);

		fprintf(out, "event: %s : %s (%s)\n", metric->name, metric->title,
			metric_unit(metric));
	}
	fputs("events:", out);
	for (size_t i = 0; i < source->metric_count; i++)
		fprintf(out, " %s", source_metric(source, i)->name);
	fputs("\nsummary:", out);
	write_summary(out, source);
}

/* ---- the format ---- */

static bool number_frames(struct callgrind *grind)
{
	const struct expt_tables *tables = grind->source->tables;

	grind->path_of_frame =
		calloc(tables->frame_count + 1, sizeof(*grind->path_of_frame));
	for (size_t i = 0; i < tables->frame_count && grind->path_of_frame; i++) {
		const char *path = tables->frames[i].path;

		grind->path_of_frame[i] =
			strings_number(&grind->strings, path ? path : NO_FILE);
	}
	return grind->path_of_frame;
}

static bool make_room(struct callgrind *grind)
{
	const struct expt_tables *tables = grind->source->tables;

	grind->visits = calloc(tables->function_count + 1, sizeof(*grind->visits));
	grind->has_function = calloc(tables->function_count + 1, sizeof(bool));
	grind->has_object = calloc(tables->object_count + 1, sizeof(bool));
	return grind->visits && grind->has_function && grind->has_object &&
	       number_frames(grind);
}

/* Number the paths of all functions before any path is written. */
static bool number_paths(struct callgrind *grind)
{
	uint32_t line;

	for (uint32_t i = 0; i < grind->source->tables->function_count; i++)
		home_of(grind, i, &line);
	grind->has_path = calloc(grind->strings.all.count + 1, sizeof(bool));
	return grind->has_path && !grind->strings.is_short;
}

static void release(struct callgrind *grind)
{
	array_release(&grind->costs);
	array_release(&grind->values);
	idmap_release(&grind->by_key);
	strings_release(&grind->strings);
	array_release(&grind->path);
	free(grind->path_of_frame);
	free(grind->visits);
	free(grind->has_object);
	free(grind->has_path);
	free(grind->has_function);
}

static int write_callgrind(FILE *out, const struct source *source)
{
	struct callgrind grind = { .source = source };
	bool is_good = make_room(&grind) && count_all(&grind) && number_paths(&grind);

	if (is_good) {
		if (grind.costs.count > 0)
			qsort(grind.costs.items, grind.costs.count,
			      sizeof(*grind.costs.items), compare);
		write_header(out, source);
		write_costs(out, &grind);
	}
	release(&grind);
	return is_good ? 0 : -ENOMEM;
}

const struct format callgrind_format = {
	.name = "callgrind",
	.lacks = "has no numbers of calls (each is 1), threads or times",
	.write = write_callgrind,
};
