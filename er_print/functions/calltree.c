/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of all calls, from <Total> down. */
#include <stdlib.h>

#include "er_print/functions/attributed.h"
#include "er_print/functions/private.h"
#include "er_print/session/metric_print.h"
#include "libexpt/base/array.h"

struct calltree {
	struct attributed attributed;
	struct expt_tree *tree;
	struct arena names;
	struct {
		struct open_node {
			struct row_list children; /* sorted */
			size_t next;
		} * items;
		size_t count, capacity;
	} open; /* nodes whose children are being added, from <Total> down */
};

static bool add_line(struct calltree *calltree, const struct row_list *list, size_t i)
{
	const struct shown_row *shown = &list->items[i];
	const struct expt_tree_node *node = expt_tree_node(calltree->tree, shown->node);

	if (!attributed_add_line(&calltree->attributed, list, shown, ' ', NULL, NULL))
		return false;
	table_set_branch(&calltree->attributed.table, node->depth, i + 1 < list->count);
	return true;
}

static struct shown_row *add_node(struct session *session, struct calltree *calltree,
				  struct row_list *list, uint32_t node)
{
	struct shown_row *shown = row_list_add(session, list,
					       expt_tree_node(calltree->tree, node)->row,
					       &calltree->names);

	if (shown)
		shown->node = node;
	return shown;
}

/* Open a node: sort its children. */
static bool open_node(struct session *session, struct calltree *calltree, uint32_t node)
{
	struct open_node *new = array_add(&calltree->open);
	uint32_t child = expt_tree_node(calltree->tree, node)->first_child;

	if (!new)
		return false;
	new->children.rows = calltree->attributed.rows;
	new->children.tree = calltree->tree;
	for (; child != 0; child = expt_tree_node(calltree->tree, child)->next)
		if (!add_node(session, calltree, &new->children, child))
			return false;
	row_list_sort(session, &new->children);
	return true;
}

static void close_node(struct calltree *calltree)
{
	struct open_node *last = &calltree->open.items[calltree->open.count - 1];

	array_release(&last->children);
	calltree->open.count--;
}

/* Add the lines below <Total>, parents before their children. Stacks may be too deep for
 * a function that calls itself. */
static bool add_branches(struct session *session, struct calltree *calltree)
{
	bool is_good = open_node(session, calltree, 0);

	while (is_good && calltree->open.count > 0 && !session_is_stopped(session)) {
		struct open_node *last = &calltree->open.items[calltree->open.count - 1];
		size_t i = last->next++;

		if (i == last->children.count)
			close_node(calltree);
		else
			is_good = add_line(calltree, &last->children, i) &&
				  open_node(session, calltree,
					    last->children.items[i].node);
	}
	return is_good;
}

static bool fill_table(struct session *session, struct calltree *calltree)
{
	struct row_list root = {
		.rows = calltree->attributed.rows,
		.tree = calltree->tree,
	};
	bool is_good = attributed_add_columns(session, &calltree->attributed) &&
		       add_node(session, calltree, &root, 0) &&
		       add_line(calltree, &root, 0) && add_branches(session, calltree);

	array_release(&root);
	return is_good;
}

static int print_tree(struct session *session, struct calltree *calltree)
{
	char title[METRIC_TEXT_SIZE + 1];

	calltree->attributed.table.is_tree = true;
	if (!fill_table(session, calltree))
		return session_out_of_memory(session);
	metrics_sort_title(session, METRICS_OF_CALLERS, title);
	output_title(&session->output, "Functions Call Tree. Metric: %s", title);
	output_gap(&session->output);
	table_print(&calltree->attributed.table, session->limit, &session->output);
	return 0;
}

int run_calltree(struct session *session, int count, char **words)
{
	struct calltree calltree = {
		.attributed.rows = session_rows(session, EXPT_BY_FUNCTION),
	};
	struct expt_error err;
	int rc;

	if (!calltree.attributed.rows)
		return -1;
	if (expt_view_groups(session->view) > 1) {
		fputs("\nNot available when comparing experiments\n\n", session->out);
		return 0;
	}
	if (expt_tree_make(&calltree.tree, calltree.attributed.rows, &err) < 0)
		return session_failed(session, &err);
	rc = print_tree(session, &calltree);
	while (calltree.open.count > 0)
		close_node(&calltree);
	array_release(&calltree.open);
	attributed_release(&calltree.attributed);
	arena_release(&calltree.names);
	expt_tree_free(calltree.tree);
	return rc;
}
