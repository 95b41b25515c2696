/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/data.h"

#include <errno.h>
#include <stdlib.h>

#include "er_html/columns.h"
#include "er_html/head.h"
#include "er_html/heap_levels.h"
#include "er_html/packed.h"
#include "er_html/paths.h"

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
	struct times times = { .kinds = NULL };
	struct head head = { .view = view, .title = title, .times = &times };
	struct columns columns = { .is_short = false };
	struct paths paths = { .of_node = NULL };
	int rc = head_open(&head, err);

	if (rc == 0 &&
	    !(paths_make(&paths, head.tables) && times_make(&times, head.tables, &paths)))
		rc = -ENOMEM;
	if (rc == 0) {
		add_functions(&columns, head.tables, &head);
		add_nodes(&columns, &paths);
		add_stacks(&columns, &paths);
		times_add(&times, &columns, column_of, &head);
		rc = heap_levels_add(&columns, view, err);
	}
	if (rc == 0)
		rc = columns.is_short ? -ENOMEM : write_all(out, &columns, &head);
	columns_release(&columns);
	times_release(&times);
	paths_release(&paths);
	head_close(&head);
	return rc;
}
