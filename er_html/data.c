/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/data.h"

#include <errno.h>
#include <stdlib.h>

#include "er_html/columns.h"
#include "er_html/head.h"
#include "er_html/heap_levels.h"
#include "er_html/packed.h"
#include "er_html/paths.h"
#include "er_html/sites.h"
#include "er_html/views/code.h"
#include "er_html/views/dataspace.h"
#include "er_html/views/traced.h"

/* A node follows its parent, or what is below a sibling: how many levels it is up from
 * the one before. */
static void add_nodes(struct columns *columns, const struct paths *paths)
{
	const struct path_node *nodes = paths->nodes.items;

	columns_begin(columns, "nodeUp", COLUMN_PLAIN);
	for (size_t i = 1; i < paths->nodes.count; i++) {
		int64_t up = 0;

		for (size_t at = i - 1; at != nodes[i].parent; at = nodes[at].parent)
			up++;
		columns_add(columns, up);
	}
	columns_begin(columns, "nodeFunction", COLUMN_PLAIN);
	for (size_t i = 0; i < paths->nodes.count; i++)
		columns_add(columns, nodes[i].function);
}

static void add_stacks(struct columns *columns, const struct paths *paths)
{
	columns_begin(columns, "stackNode", COLUMN_DELTA);
	for (size_t i = 0; i < paths->stack_count; i++)
		columns_add(columns, paths->stacks[i].node);
	columns_begin(columns, "stackSite", COLUMN_SIGNED | COLUMN_DELTA);
	for (size_t i = 0; i < paths->stack_count; i++)
		columns_add(columns, paths->stacks[i].site);
	columns_begin(columns, "stackSubject", COLUMN_PLAIN);
	for (size_t i = 0; i < paths->stack_count; i++)
		columns_add(columns, paths->stacks[i].subject);
	columns_begin(columns, "stackThread", COLUMN_PLAIN);
	for (size_t i = 0; i < paths->stack_count; i++)
		columns_add(columns, paths->stacks[i].thread);
}

static const char *column_of(const void *head, size_t metric)
{
	return head_column(head, metric);
}

static void add_functions(struct columns *columns, const struct expt_tables *tables,
			  const struct head *head)
{
	columns_begin(columns, "functionObject", COLUMN_PLAIN);
	for (size_t i = 0; i < tables->function_count; i++)
		columns_add(columns, head_object(head, expt_row(tables->functions, i)));
}

/* The parts of the data. */
struct parts {
	struct head head;
	struct columns columns;
	struct paths paths;
	struct times times;
	struct code code;
	struct sites sites;
	size_t *metrics;
	struct shown shown; /* the same for views */
};

static int write_head(FILE *out, const struct parts *parts,
		      const struct data_options *options, struct expt_error *err)
{
	int rc;

	putc('{', out);
	head_write(&parts->head, out, &parts->columns);
	putc(',', out);
	code_write(&parts->code, out);
	rc = traced_write(&parts->shown, out, err);
	if (rc == 0)
		rc = dataspace_write(&parts->shown, out, err);
	if (rc == 0)
		rc = difference_write(&parts->shown, &options->groups, out, err);
	putc('}', out);
	return rc;
}

static int write_all(FILE *out, const struct parts *parts,
		     const struct data_options *options, struct expt_error *err)
{
	struct packed *packed;
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	uint8_t size[4];
	int rc;

	if (!memory)
		return -ENOMEM;
	rc = write_head(memory, parts, options, err);
	if (fclose(memory) != 0 && rc == 0)
		rc = -ENOMEM;
	packed = rc == 0 ? packed_open(out) : NULL;
	if (!packed) {
		free(text);
		return rc < 0 ? rc : -ENOMEM;
	}
	for (size_t i = 0; i < sizeof(size); i++)
		size[i] = (uint8_t)(length >> 8 * i);
	packed_write(packed, size, sizeof(size));
	packed_write(packed, text, length);
	columns_give(&parts->columns, packed_take, packed);
	packed_close(packed);
	free(text);
	return 0;
}

static bool show(struct parts *parts)
{
	const struct head *head = &parts->head;

	parts->metrics = calloc(head->metric_count + 1, sizeof(*parts->metrics));
	for (size_t i = 0; i < head->metric_count && parts->metrics; i++)
		parts->metrics[i] = head->metrics[i].number;
	parts->shown = (struct shown){
		.view = head->view,
		.tables = head->tables,
		.metrics = parts->metrics,
		.metric_count = head->metric_count,
	};
	return parts->metrics;
}

static bool make_parts(struct parts *parts, const struct data_options *options)
{
	struct head *head = &parts->head;
	struct columns *columns = &parts->columns;

	if (!show(parts) ||
	    !code_make(&parts->code, &parts->shown, options->search,
		       options->source_limit) ||
	    !sites_make(&parts->sites, &parts->shown, &parts->code) ||
	    !paths_make(&parts->paths, head->tables, parts->sites.of_node) ||
	    !times_make(&parts->times, head->tables, &parts->paths))
		return false;
	add_functions(columns, head->tables, head);
	add_nodes(columns, &parts->paths);
	add_stacks(columns, &parts->paths);
	times_add(&parts->times, columns, column_of, head);
	return sites_add(columns, &parts->sites);
}

int data_write(FILE *out, struct expt_view *view, const struct data_options *options,
	       struct expt_error *err)
{
	struct parts parts = {
		.head = { .view = view, .title = options->title, .times = &parts.times }
	};
	int rc = head_open(&parts.head, err);

	if (rc == 0 && !make_parts(&parts, options))
		rc = -ENOMEM;
	if (rc == 0)
		rc = heap_levels_add(&parts.columns, view, err);
	if (rc == 0)
		rc = parts.columns.is_short ? -ENOMEM
					    : write_all(out, &parts, options, err);
	code_release(&parts.code);
	times_release(&parts.times);
	columns_release(&parts.columns);
	sites_release(&parts.sites);
	free(parts.metrics);
	paths_release(&parts.paths);
	head_close(&parts.head);
	return rc;
}
