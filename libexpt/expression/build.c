/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the nodes of expressions. A node has one parent: nothing is shared. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/common/error.h"
#include "libexpt/expression/build.h"
#include "libexpt/expression/evaluate.h"

void builder_fail(struct builder *builder, size_t position, const char *format, ...)
{
	char message[256];
	va_list arguments;

	if (builder->code < 0)
		return;
	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	builder->code = expt_refuse(builder->err, -EINVAL, "column %zu: %s", position + 1,
				    message);
}

static struct node *node_at(const struct builder *builder, uint32_t number)
{
	return &builder->expression->nodes.items[number];
}

/* ---- nodes ---- */

/* Returns the number of a new node, or 0. */
static uint32_t add_node(struct builder *builder, enum node_kind kind)
{
	struct expression *expression = builder->expression;
	struct node *node;

	if (builder->code < 0)
		return 0;
	node = array_add(&expression->nodes);
	if (!node) {
		builder->code = expt_fail(builder->err, -ENOMEM, "cannot parse '%s'",
					  expression->text);
		return 0;
	}
	node->kind = (uint8_t)kind;
	node->position = builder->position;
	node->cost = 1;
	return (uint32_t)(expression->nodes.count - 1);
}

/* Makes child the last operand of parent, whose position is that of its first one. */
static void adopt(struct builder *builder, uint32_t parent, uint32_t child)
{
	struct node *above = node_at(builder, parent), *below = node_at(builder, child);

	if (builder->code < 0)
		return;
	if (above->first)
		node_at(builder, above->last)->next = child;
	else
		above->first = child;
	if (above->first == child)
		above->position = below->position;
	above->last = child;
	above->count++;
	above->depends |= below->depends;
	above->cost += below->cost;
	if (below->depth >= above->depth)
		above->depth = (uint16_t)(below->depth + 1);
	if (above->depth > EXPRESSION_DEPTH_MAX)
		builder_fail(builder, below->position, "too deeply nested");
	if (above->cost > EXPRESSION_COST_MAX)
		builder_fail(builder, below->position, "too many lists in lists");
}

/* Replaces a node whose operands are constant by its value. */
static uint32_t fold(struct builder *builder, uint32_t number)
{
	struct node *node = node_at(builder, number);
	uint64_t value;

	if (builder->code < 0)
		return 0;
	if (node->depends ||
	    !expression_evaluate_constant(builder->expression, number, &value))
		return number;
	*node = (struct node){ .kind = NODE_CONSTANT,
			       .position = node->position,
			       .cost = 1,
			       .value = value };
	return number;
}

/* ---- operands ---- */

uint32_t build_constant(struct builder *builder, uint64_t value)
{
	uint32_t number = add_node(builder, NODE_CONSTANT);

	if (number)
		node_at(builder, number)->value = value;
	return number;
}

uint32_t build_word(struct builder *builder, uint8_t word)
{
	const struct expression_word_info *info = expression_word_info(word);
	uint32_t number = add_node(builder, info->is_stack ? NODE_STACK : NODE_WORD);

	if (number) {
		node_at(builder, number)->word = word;
		node_at(builder, number)->depends = (uint8_t)info->dependence;
	}
	return number;
}

uint32_t build_names(struct builder *builder, uint64_t set)
{
	uint32_t number = add_node(builder, NODE_NAMES);

	if (number) {
		node_at(builder, number)->value = set;
		node_at(builder, number)->depends = EXPRESSION_ON_NAMES;
	}
	return number;
}

uint32_t build_scalar(struct builder *builder, uint32_t a)
{
	const struct node *node = node_at(builder, a);

	if (node->kind == NODE_LIST)
		return build_scalar(builder, node->last);
	if (node->kind == NODE_STACK)
		builder_fail(builder, node->position, "%s is a list; use it with IN",
			     expression_word_info(node->word)->name);
	else if (node->kind == NODE_NAMES)
		builder_fail(builder, node->position,
			     "names are a set; use them with IN, == or !=");
	return builder->code < 0 ? 0 : a;
}

/* ---- operators ---- */

uint32_t build_unary(struct builder *builder, enum node_kind kind, uint32_t a)
{
	uint32_t number = add_node(builder, kind);

	adopt(builder, number, build_scalar(builder, a));
	return fold(builder, number);
}

static bool is_constant(const struct builder *builder, uint32_t a)
{
	return node_at(builder, a)->kind == NODE_CONSTANT;
}

/* Chains of && and || become one node, so that long ones are not deep. Constants that do
 * not decide are left out. */
static uint32_t build_all(struct builder *builder, enum node_kind kind, uint32_t a,
			  uint32_t b)
{
	bool decider = kind == NODE_OR;
	const struct node *first = node_at(builder, a), *second = node_at(builder, b);

	if (is_constant(builder, a) && !!first->value == decider)
		return build_constant(builder, decider);
	if (is_constant(builder, b) && !!second->value == decider)
		return build_constant(builder, decider);
	if (first->kind != kind) {
		uint32_t number = add_node(builder, kind);

		if (!is_constant(builder, a))
			adopt(builder, number, a);
		a = number;
	}
	if (!is_constant(builder, b))
		adopt(builder, a, b);
	return fold(builder, a);
}

/* Makes == or != with a set, which mean that the scalar is in it, or is not. */
static uint32_t build_names_equal(struct builder *builder, enum node_kind kind,
				  uint32_t a, uint32_t b)
{
	uint32_t number = build_in(builder, NODE_SOME_IN, a, b);

	return kind == NODE_EQUAL ? number : build_unary(builder, NODE_NOT, number);
}

static bool is_names(const struct builder *builder, uint32_t a)
{
	return node_at(builder, a)->kind == NODE_NAMES;
}

/* Repeats the operands in the node if they are a word and a constant. */
static void keep_operands(struct builder *builder, uint32_t number)
{
	struct node *node = node_at(builder, number);
	const struct node *a = node_at(builder, node->first);
	const struct node *b = node_at(builder, node->last);

	if (a->kind != NODE_WORD || b->kind != NODE_CONSTANT)
		return;
	node->kind += NODE_WITH_CONSTANT;
	node->word = a->word;
	node->value = b->value;
}

uint32_t build_binary(struct builder *builder, enum node_kind kind, uint32_t a,
		      uint32_t b)
{
	uint32_t number;

	if ((kind == NODE_EQUAL || kind == NODE_UNEQUAL) &&
	    is_names(builder, a) != is_names(builder, b))
		return build_names_equal(
			builder, kind,
			is_names(builder, a) ? a : build_scalar(builder, a),
			is_names(builder, b) ? b : build_scalar(builder, b));
	a = build_scalar(builder, a);
	b = build_scalar(builder, b);
	if (kind == NODE_AND || kind == NODE_OR)
		return build_all(builder, kind, a, b);
	number = add_node(builder, kind);
	adopt(builder, number, a);
	adopt(builder, number, b);
	keep_operands(builder, number);
	return fold(builder, number);
}

uint32_t build_choice(struct builder *builder, uint32_t condition, uint32_t a, uint32_t b)
{
	uint32_t number = add_node(builder, NODE_CHOICE);

	condition = build_scalar(builder, condition);
	a = build_scalar(builder, a);
	b = build_scalar(builder, b);
	if (is_constant(builder, condition))
		return node_at(builder, condition)->value ? a : b;
	adopt(builder, number, condition);
	adopt(builder, number, a);
	adopt(builder, number, b);
	return number;
}

/* ---- lists ---- */

uint32_t build_list(struct builder *builder, uint32_t list, uint32_t element)
{
	if (!list)
		list = add_node(builder, NODE_LIST);
	if (!is_names(builder, element))
		element = build_scalar(builder, element);
	adopt(builder, list, element);
	return list;
}

/* Returns whether an element of the list is a set. Sets inside of elements do not count.
 */
static bool has_names(const struct builder *builder, uint32_t list)
{
	uint32_t link = node_at(builder, list)->first;

	if (node_at(builder, list)->kind != NODE_LIST)
		return false;
	while (link && !is_names(builder, link))
		link = node_at(builder, link)->next;
	return link;
}

/* Sorts a list of constants, so that it is searched in a few steps. */
static void sort_constants(struct builder *builder, uint32_t number)
{
	struct expression *expression = builder->expression;
	size_t first = expression->constants.count, count;
	struct node *list = node_at(builder, number);
	uint32_t link = list->first;

	if (list->kind != NODE_LIST)
		return;
	for (; link && is_constant(builder, link); link = node_at(builder, link)->next) {
		uint64_t *constant = array_add(&expression->constants);

		if (!constant)
			return;
		*constant = node_at(builder, link)->value;
	}
	count = expression->constants.count - first;
	if (link || count < 2)
		return;
	qsort(&expression->constants.items[first], count, sizeof(uint64_t),
	      number_compare);
	list->kind = NODE_CONSTANTS;
	list->first = (uint32_t)first;
	list->cost = 1;
}

static uint32_t list_of(struct builder *builder, uint32_t a)
{
	uint8_t kind = node_at(builder, a)->kind;

	return kind == NODE_LIST || kind == NODE_STACK || builder->code < 0
		       ? a
		       : build_list(builder, 0, a);
}

static bool is_stack(const struct builder *builder, uint32_t a)
{
	return node_at(builder, a)->kind == NODE_STACK;
}

/* SOME IN is symmetric. A stack belongs to its right, and without a stack, so do sets. */
static bool is_better_swapped(const struct builder *builder, uint32_t a, uint32_t b)
{
	return is_stack(builder, a) || (has_names(builder, a) && !is_stack(builder, b));
}

/* Sorts the list that is searched. */
static void sort_searched(struct builder *builder, enum node_kind kind, uint32_t a,
			  uint32_t b)
{
	if (kind == NODE_SOME_IN && is_stack(builder, b))
		sort_constants(builder, a);
	else if (kind != NODE_ORDERED_IN)
		sort_constants(builder, b);
}

/* Each element of one list may be evaluated for each of the other. */
static void add_cost(struct builder *builder, uint32_t in, uint32_t a, uint32_t b)
{
	const struct node *left = node_at(builder, a), *right = node_at(builder, b);
	uint64_t elements = left->kind == NODE_LIST ? left->count : 1;
	uint64_t others = right->kind == NODE_LIST ? right->count : 1;
	uint64_t cost = left->cost * (1 + others) + right->cost * (1 + elements);

	if (cost > EXPRESSION_COST_MAX)
		builder_fail(builder, left->position, "too many lists in lists");
	else if (builder->code == 0)
		node_at(builder, in)->cost = (uint32_t)cost;
}

uint32_t build_in(struct builder *builder, enum node_kind kind, uint32_t a, uint32_t b)
{
	uint32_t number = add_node(builder, kind), position;

	a = list_of(builder, a);
	b = list_of(builder, b);
	position = node_at(builder, a)->position;
	if (has_names(builder, a) && has_names(builder, b))
		builder_fail(builder, node_at(builder, b)->position,
			     "names can be at one side of IN only");
	if (kind == NODE_SOME_IN && is_better_swapped(builder, a, b)) {
		uint32_t left = a;

		a = b;
		b = left;
	}
	sort_searched(builder, kind, a, b);
	adopt(builder, number, a);
	adopt(builder, number, b);
	add_cost(builder, number, a, b);
	if (number)
		node_at(builder, number)->position = position;
	return fold(builder, number);
}
