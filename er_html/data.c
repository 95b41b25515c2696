/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/data.h"

#include <errno.h>
#include <stdlib.h>

#include "er_html/columns.h"
#include "er_html/head.h"
#include "er_html/packed.h"
#include "er_html/paths.h"

static void add_nodes(struct columns *columns, const struct paths *paths)
{
	columns_begin(columns, "nodeParent", COLUMN_SIGNED | COLUMN_DELTA);
	for (size_t i = 0; i < paths->nodes.count; i++)
		columns_add(columns, paths->nodes.items[i].parent);
	columns_begin(columns, "nodeFunction", COLUMN_PLAIN);
	for (size_t i = 0; i < paths->nodes.count; i++)
		columns_add(columns, paths->nodes.items[i].function);
}

static void add_stacks(struct columns *columns, const struct expt_tables *tables,
		       const struct paths *paths)
{
	columns_begin(columns, "stackNode", COLUMN_SIGNED | COLUMN_DELTA);
	for (size_t i = 0; i < tables->stack_count; i++)
		columns_add(columns, paths->of_node[tables->stacks[i].node]);
	columns_begin(columns, "stackThread", COLUMN_PLAIN);
	for (size_t i = 0; i < tables->stack_count; i++)
		columns_add(columns, tables->stacks[i].thread);
}

static void add_values(struct columns *columns, const struct expt_tables *tables,
		       const struct head *head)
{
	for (size_t m = 0; m < head->metric_count; m++) {
		columns_begin(columns, head->metrics[m].column,
			      COLUMN_SIGNED | COLUMN_WIDE);
		for (size_t i = 0; i < tables->stack_count; i++)
			columns_add(columns, expt_tables_value(tables, i,
							       head->metrics[m].number));
	}
}

static void add_events(struct columns *columns, const struct expt_tables *tables)
{
	columns_begin(columns, "eventTime", COLUMN_DELTA | COLUMN_WIDE);
	for (size_t i = 0; i < tables->event_count; i++)
		columns_add(columns, (int64_t)tables->events[i].time_ns);
	columns_begin(columns, "eventStack", COLUMN_PLAIN);
	for (size_t i = 0; i < tables->event_count; i++)
		columns_add(columns, tables->events[i].stack);
	columns_begin(columns, "eventValue", COLUMN_SIGNED | COLUMN_WIDE);
	for (size_t i = 0; i < tables->event_count; i++)
		columns_add(columns, tables->events[i].value);
}

static void add_functions(struct columns *columns, const struct expt_tables *tables,
			  const struct head *head)
{
	columns_begin(columns, "functionObject", COLUMN_PLAIN);
	for (size_t i = 0; i < tables->function_count; i++)
		columns_add(columns, head_object(head, expt_row(tables->functions, i)));
}

static int write_all(FILE *out, const struct columns *columns, const struct head *head)
{
	struct packed *packed;
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	uint8_t size[4];

	if (!memory)
		return -ENOMEM;
	head_write(head, memory, columns);
	if (fclose(memory) != 0 || !(packed = packed_open(out))) {
		free(text);
		return -ENOMEM;
	}
	for (size_t i = 0; i < sizeof(size); i++)
		size[i] = (uint8_t)(length >> 8 * i);
	packed_write(packed, size, sizeof(size));
	packed_write(packed, text, length);
	columns_give(columns, packed_take, packed);
	packed_close(packed);
	free(text);
	return 0;
}

int data_write(FILE *out, struct expt_view *view, const char *title,
	       struct expt_error *err)
{
	struct head head = { .view = view, .title = title };
	struct columns columns = { .is_short = false };
	struct paths paths = { .of_node = NULL };
	int rc = head_open(&head, err);

	if (rc == 0 && !paths_make(&paths, head.tables))
		rc = -ENOMEM;
	if (rc == 0) {
		add_functions(&columns, head.tables, &head);
		add_nodes(&columns, &paths);
		add_stacks(&columns, head.tables, &paths);
		add_values(&columns, head.tables, &head);
		add_events(&columns, head.tables);
		rc = columns.is_short ? -ENOMEM : write_all(out, &columns, &head);
	}
	columns_release(&columns);
	paths_release(&paths);
	head_close(&head);
	return rc;
}
