/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions. The parser limits the depth of their trees, so recursion is
 * safe. */
#include <string.h>

#include "libexpt/expression/compute.h"
#include "libexpt/expression/evaluate.h"
#include "libexpt/expression/nodes.h"
#include "libexpt/expression/search.h"

struct answer {
	uint64_t value;
	bool is_known;
};

struct scene {
	const struct node *nodes;
	const uint64_t *constants;
	const struct expression_facts *facts;
};

static struct answer evaluate(const struct scene *scene, const struct node *node);

static struct answer known(uint64_t value)
{
	return (struct answer){ .value = value, .is_known = true };
}

static struct answer unknown(void)
{
	return (struct answer){ .is_known = false };
}

static const struct node *child(const struct scene *scene, uint32_t link)
{
	return link ? &scene->nodes[link] : NULL;
}

/* ---- scalars ---- */

static struct answer evaluate_constant(const struct scene *scene, const struct node *node)
{
	return known(node->value);
}

static struct answer evaluate_word(const struct scene *scene, const struct node *node)
{
	int64_t value;

	if (!scene->facts->value(scene->facts->context, (enum expression_word)node->word,
				 &value))
		return unknown();
	return known((uint64_t)value);
}

static inline struct answer evaluate_with_constant(const struct scene *scene,
						   const struct node *node)
{
	struct answer a = evaluate_word(scene, node);

	if (!a.is_known)
		return a;
	return known(node_compute((enum node_kind)(node->kind - NODE_WITH_CONSTANT),
				  a.value, node->value));
}

/* Saves a call of evaluate() for the simplest nodes. */
static inline struct answer operand(const struct scene *scene, uint32_t link)
{
	const struct node *node = &scene->nodes[link];

	if (node->kind == NODE_CONSTANT)
		return evaluate_constant(scene, node);
	if (node->kind == NODE_WORD)
		return evaluate_word(scene, node);
	if (node->kind >= NODE_WITH_CONSTANT)
		return evaluate_with_constant(scene, node);
	return evaluate(scene, node);
}

static struct answer evaluate_binary(const struct scene *scene, const struct node *node)
{
	struct answer a = operand(scene, node->first), b = operand(scene, node->last);

	if (!a.is_known || !b.is_known)
		return unknown();
	return known(node_compute((enum node_kind)node->kind, a.value, b.value));
}

static struct answer evaluate_unary(const struct scene *scene, const struct node *node)
{
	struct answer a = operand(scene, node->first);

	if (!a.is_known)
		return a;
	if (node->kind == NODE_NOT)
		return known(!a.value);
	return known(node->kind == NODE_COMPLEMENT ? ~a.value : -a.value);
}

static struct answer evaluate_choice(const struct scene *scene, const struct node *node)
{
	const struct node *condition = &scene->nodes[node->first];
	struct answer a = evaluate(scene, condition);

	if (!a.is_known)
		return a;
	return operand(scene, a.value ? condition->next : node->last);
}

/* Evaluate && or ||. An operand that decides the result overrides unknown ones. */
static struct answer evaluate_all(const struct scene *scene, const struct node *node)
{
	bool decider = node->kind == NODE_OR, is_known = true;

	for (uint32_t link = node->first; link; link = scene->nodes[link].next) {
		struct answer a = operand(scene, link);

		if (a.is_known && !!a.value == decider)
			return known(decider);
		is_known &= a.is_known;
	}
	return is_known ? known(!decider) : unknown();
}

/* ---- lists ---- */

/* An operand of IN: a list, or a stack. */
struct list {
	const struct node *node;
	struct expression_stack stack;
};

static const struct expression_set *set_of(const struct scene *scene,
					   const struct node *names)
{
	return &scene->facts->sets[names->value];
}

static bool are_known(const struct scene *scene, const struct node *list)
{
	const struct node *element = child(scene, list->first);

	for (; element; element = child(scene, element->next))
		if (element->kind != NODE_NAMES && element->kind != NODE_CONSTANT &&
		    !evaluate(scene, element).is_known)
			return false;
	return true;
}

/* Returns false if the stack, or an element, is unknown. */
static bool open_list(const struct scene *scene, struct list *list,
		      const struct node *node)
{
	*list = (struct list){ .node = node };
	if (node->kind == NODE_STACK)
		return scene->facts->stack(scene->facts->context,
					   (enum expression_word)node->word,
					   &list->stack);
	return node->kind == NODE_CONSTANTS || are_known(scene, node);
}

/* Compare a value with an element of a list. */
static bool element_is(const struct scene *scene, const struct node *element,
		       uint64_t value)
{
	if (element->kind == NODE_NAMES)
		return set_has(set_of(scene, element), value);
	return evaluate(scene, element).value == value;
}

static bool contains(const struct scene *scene, const struct list *list, uint64_t value)
{
	const struct node *node = list->node, *element;

	if (node->kind == NODE_STACK)
		return stack_has(&list->stack, value);
	if (node->kind == NODE_CONSTANTS)
		return numbers_have(&scene->constants[node->first], node->count, value);
	element = child(scene, node->first);
	while (element && !element_is(scene, element, value))
		element = child(scene, element->next);
	return element;
}

/* Returns whether the list contains all of a set. A set without functions is not in any
 * list. */
static bool contains_set(const struct scene *scene, const struct list *list,
			 const struct expression_set *set)
{
	const bool *at = set->has, *end = set->has + set->limit;
	bool is_empty = true;

	for (; at < end && (at = memchr(at, true, (size_t)(end - at))); at++) {
		if (!contains(scene, list, (uint64_t)(at - set->has)))
			return false;
		is_empty = false;
	}
	return !is_empty;
}

/* Returns whether an element of the list at the left of IN is in the right one. The
 * parser swaps SOME IN so that only a stack is searched for some of a set. */
static bool contains_element(const struct scene *scene, const struct node *in,
			     const struct list *list, const struct node *element)
{
	if (element->kind == NODE_NAMES && in->kind == NODE_SOME_IN)
		return stack_has_any(&list->stack, set_of(scene, element));
	if (element->kind == NODE_NAMES)
		return contains_set(scene, list, set_of(scene, element));
	return contains(scene, list, evaluate(scene, element).value);
}

static bool stack_in(const struct scene *scene, const struct node *in,
		     const struct list *left, const struct list *right)
{
	bool decider = in->kind == NODE_SOME_IN;

	for (size_t i = 0; i < left->stack.count; i++)
		if (contains(scene, right, left->stack.functions[i]) == decider)
			return decider;
	return !decider;
}

static bool elements_in(const struct scene *scene, const struct node *in,
			const struct list *left, const struct list *right)
{
	const struct node *element = child(scene, left->node->first);
	bool decider = in->kind == NODE_SOME_IN;

	for (; element; element = child(scene, element->next))
		if (contains_element(scene, in, right, element) == decider)
			return decider;
	return !decider;
}

/* Returns whether the only element of a list is in another one, of constants. */
static struct answer evaluate_in_constants(const struct scene *scene,
					   const struct node *left,
					   const struct node *right)
{
	struct answer a = operand(scene, left->first);

	return a.is_known ? known(numbers_have(&scene->constants[right->first],
					       right->count, a.value))
			  : a;
}

/* Evaluate IN, or SOME IN. */
static struct answer evaluate_in(const struct scene *scene, const struct node *node)
{
	const struct node *first = &scene->nodes[node->first];
	const struct node *last = &scene->nodes[node->last];
	struct list left, right;

	if (last->kind == NODE_CONSTANTS && first->kind == NODE_LIST &&
	    first->count == 1 && scene->nodes[first->first].kind != NODE_NAMES)
		return evaluate_in_constants(scene, first, last);
	if (!open_list(scene, &left, first) || !open_list(scene, &right, last))
		return unknown();
	if (left.node->kind == NODE_CONSTANTS)
		return known(stack_has_number(&right.stack,
					      &scene->constants[left.node->first],
					      left.node->count));
	return known(left.node->kind == NODE_STACK
			     ? stack_in(scene, node, &left, &right)
			     : elements_in(scene, node, &left, &right));
}

/* ---- ORDERED IN ---- */

/* A place in a list; a stack is read from its root to its leaf. */
struct place {
	size_t frames;		    /* of a stack that are still to come */
	const struct node *element; /* NULL: a stack, or the end */
};

static struct place begin(const struct scene *scene, const struct list *list)
{
	return (struct place){
		.frames = list->stack.count,
		.element = list->node->kind == NODE_STACK
				   ? NULL
				   : child(scene, list->node->first),
	};
}

static bool is_at_end(const struct place *place)
{
	return !place->element && !place->frames;
}

static void advance(const struct scene *scene, struct place *place)
{
	if (place->element)
		place->element = child(scene, place->element->next);
	else
		place->frames--;
}

static bool is_names(const struct place *place)
{
	return place->element && place->element->kind == NODE_NAMES;
}

static uint64_t value_at(const struct scene *scene, const struct list *list,
			 const struct place *place)
{
	return place->element ? evaluate(scene, place->element).value
			      : list->stack.functions[place->frames - 1];
}

/* The parser allows names in one of the lists only. */
static bool is_equal(const struct scene *scene, const struct list *lists,
		     const struct place *left, const struct place *right)
{
	if (is_names(left))
		return element_is(scene, left->element,
				  value_at(scene, &lists[1], right));
	if (is_names(right))
		return element_is(scene, right->element,
				  value_at(scene, &lists[0], left));
	return value_at(scene, &lists[0], left) == value_at(scene, &lists[1], right);
}

/* Returns whether all of the left list follow in the right one, from this place on. */
static bool goes_on(const struct scene *scene, const struct list *lists,
		    struct place right)
{
	struct place left = begin(scene, &lists[0]);

	while (!is_at_end(&left) && !is_at_end(&right) &&
	       is_equal(scene, lists, &left, &right)) {
		advance(scene, &left);
		advance(scene, &right);
	}
	return is_at_end(&left);
}

static struct answer evaluate_ordered_in(const struct scene *scene,
					 const struct node *node)
{
	struct list lists[2];
	struct place right;

	if (!open_list(scene, &lists[0], &scene->nodes[node->first]) ||
	    !open_list(scene, &lists[1], &scene->nodes[node->last]))
		return unknown();
	right = begin(scene, &lists[1]);
	while (!is_at_end(&right) && !goes_on(scene, lists, right))
		advance(scene, &right);
	return known(!is_at_end(&right) || goes_on(scene, lists, right));
}

/* ---- all ---- */

typedef struct answer evaluator(const struct scene *scene, const struct node *node);

static evaluator *const evaluators[] = {
	[NODE_CONSTANT] = evaluate_constant,
	[NODE_WORD] = evaluate_word,
	[NODE_NOT] = evaluate_unary,
	[NODE_COMPLEMENT] = evaluate_unary,
	[NODE_NEGATIVE] = evaluate_unary,
	[NODE_CHOICE] = evaluate_choice,
	[NODE_AND] = evaluate_all,
	[NODE_OR] = evaluate_all,
	[NODE_IN] = evaluate_in,
	[NODE_SOME_IN] = evaluate_in,
	[NODE_ORDERED_IN] = evaluate_ordered_in,
};

static struct answer evaluate(const struct scene *scene, const struct node *node)
{
	if (node->kind >= NODE_WITH_CONSTANT)
		return evaluate_with_constant(scene, node);
	if (node->kind >= NODE_BIT_OR)
		return evaluate_binary(scene, node);
	return evaluators[node->kind](scene, node);
}

static struct answer evaluate_from(const struct expression *expression, uint32_t root,
				   const struct expression_facts *facts)
{
	struct scene scene = { .nodes = expression->nodes.items,
			       .constants = expression->constants.items,
			       .facts = facts };

	return operand(&scene, root);
}

bool expression_evaluate(const struct expression *expression,
			 const struct expression_facts *facts, int64_t *value)
{
	struct answer a = evaluate_from(expression, expression->root, facts);

	*value = (int64_t)a.value;
	return a.is_known;
}

bool expression_keeps(const struct expression *expression,
		      const struct expression_facts *facts)
{
	struct answer a = evaluate_from(expression, expression->root, facts);

	return !a.is_known || a.value;
}

bool expression_evaluate_constant(const struct expression *expression, uint32_t root,
				  uint64_t *value)
{
	struct answer a = evaluate_from(expression, root, NULL);

	*value = a.value;
	return a.is_known;
}
