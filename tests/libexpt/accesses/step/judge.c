/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/judge.h"

#include <string.h>

#include "tests/libexpt/accesses/step/descriptor.h"

static bool is_base(const struct truth_step *step)
{
	return strcmp(step->name, "-") == 0;
}

/* ---- scalars ----------------------------------------------------------------------- */

/* Whether a scalar of an answer can be a part of what is there. */
static bool fits(const struct element *element, const struct truth_step *step,
		 bool is_member)
{
	char kind, truth_kind = '\0';
	size_t size = scalar_size(element->is_pointer ? "pointer" : element->word, &kind);
	size_t there = is_member ? step->size : scalar_size(step->type, &truth_kind);

	/* Everything can be read as bytes; other names of scalars are not known. */
	if (size == 0 || kind == 'c')
		return true;
	return there % size == 0 && (!truth_kind || truth_kind == kind);
}

static bool is_bytes(const struct element *element)
{
	char kind;

	return !element->is_pointer && scalar_size(element->word, &kind) && kind == 'c';
}

/* "{int i}" is a variable, "{int -}" anything that a pointer to such may point to. */
static enum verdict judge_scalar(const struct truth_chain *chain,
				 const struct element *element)
{
	const struct truth_step *last = &chain->steps[chain->count - 1];
	bool is_member = chain->count > 1;

	if (*element->name) {
		bool is_it = !is_member && !chain->is_aggregate &&
			     truth_is_name(last->name, element->name);

		return is_it && fits(element, last, false) ? VERDICT_RIGHT
							   : VERDICT_WRONG;
	}
	if (chain->is_aggregate)
		return VERDICT_OPEN;
	if (!fits(element, last, is_member))
		return VERDICT_WRONG;
	/* Blocks of scalars have no name. */
	if (!is_member && !*last->name) {
		char kind;

		scalar_size(last->type, &kind);
		return is_bytes(element) && kind != 'c' ? VERDICT_TYPE : VERDICT_RIGHT;
	}
	return VERDICT_TYPE;
}

/* ---- aggregates -------------------------------------------------------------------- */

/* Compare the members of an answer with the steps of a chain from one on. */
static enum verdict compare_members(const struct truth_chain *chain, size_t step,
				    const struct descriptor *answer)
{
	size_t member = 1;

	for (; step < chain->count; step++) {
		if (is_base(&chain->steps[step]))
			continue;
		if (member == answer->count)
			return VERDICT_TYPE;
		if (!truth_is_name(chain->steps[step].name,
				   answer->elements[member].name))
			return VERDICT_WRONG;
		member++;
	}
	if (member < answer->count)
		return chain->is_open ? VERDICT_TYPE : VERDICT_WRONG;
	return chain->is_aggregate ? VERDICT_TYPE : VERDICT_RIGHT;
}

static enum verdict better(enum verdict one, enum verdict other)
{
	return one < other ? one : other;
}

/* The answer may begin with any aggregate around the place: a pointer may point to it. */
static enum verdict judge_aggregate(const struct truth_chain *chain,
				    const struct descriptor *answer)
{
	const struct element *first = &answer->elements[0];
	enum verdict verdict = chain->is_open ? VERDICT_OPEN : VERDICT_WRONG;

	for (size_t i = 0; i < chain->count; i++) {
		const struct truth_step *step = &chain->steps[i];

		if (!*step->type || !truth_is_name(step->type, first->word))
			continue;
		if (*first->name && !truth_is_name(step->name, first->name))
			return VERDICT_WRONG;
		verdict = better(verdict, compare_members(chain, i + 1, answer));
	}
	return verdict;
}

static enum verdict judge_descriptor(const struct truth_chains *chains,
				     const struct descriptor *whole)
{
	enum verdict verdict = VERDICT_WRONG;
	struct descriptor descriptor = *whole;

	for (size_t i = 0; i < chains->count; i++) {
		const struct truth_chain *chain = &chains->items[i];

		if (descriptor.elements[0].is_aggregate)
			verdict = better(verdict, judge_aggregate(chain, &descriptor));
		else if (descriptor.count == 1)
			verdict = better(verdict,
					 judge_scalar(chain, &descriptor.elements[0]));
	}
	return verdict;
}

/* The truth may not know what is around an object: a header that a library puts before
 * it, or the class that has it as a member. */
static enum verdict judge_parts(const struct truth_chains *chains,
				const struct descriptor *whole)
{
	for (size_t first = 1; first < whole->count; first++) {
		struct descriptor part = *whole;

		part.count -= first;
		for (size_t i = 0; i < part.count; i++)
			part.elements[i] = whole->elements[first + i];
		part.elements[0].name = "";
		if (part.elements[0].is_aggregate &&
		    judge_descriptor(chains, &part) != VERDICT_WRONG)
			return judge_descriptor(chains, &part);
	}
	return VERDICT_WRONG;
}

/* Room in a class of a library for an object of any type. */
static bool is_room(const struct descriptor *descriptor)
{
	const struct element *last = &descriptor->elements[descriptor->count - 1];

	return descriptor->count > 1 && is_bytes(last) &&
	       strcmp(last->name, "__data") == 0;
}

enum verdict judge(const struct truth_chains *chains, const char *answer)
{
	enum verdict verdict;
	struct descriptor descriptor;

	if (!descriptor_parse(&descriptor, answer))
		return VERDICT_WRONG;
	verdict = judge_descriptor(chains, &descriptor);
	if (verdict == VERDICT_WRONG)
		verdict = judge_parts(chains, &descriptor);
	return verdict == VERDICT_WRONG && is_room(&descriptor) ? VERDICT_OPEN : verdict;
}

/* ---- what the truth does not know -------------------------------------------------- */

/* Whether an answer names a variable that is at another address. A parameter may be a
 * pointer to the variable of the same name. */
static bool is_elsewhere(const struct truth_tables *tables, const struct tracee *tracee,
			 const struct element *element)
{
	const struct truth_object *variable =
		*element->name ? truth_variable(tables, element->name) : NULL;

	if (!variable || (element->is_pointer && strcmp(variable->type, "pointer") != 0))
		return false;
	/* Variables on the heap are reached by descriptors, which have their names. */
	return tracee_is_image(tracee, variable->address) ||
	       tracee_is_stack(tracee, variable->address);
}

enum verdict judge_elsewhere(const struct truth_tables *tables,
			     const struct tracee *tracee, bool is_stack,
			     const char *answer)
{
	struct descriptor descriptor;
	const struct element *first = &descriptor.elements[0];

	if (!descriptor_parse(&descriptor, answer) || is_elsewhere(tables, tracee, first))
		return VERDICT_WRONG;
	/* All objects of the type are at others. */
	if (first->is_aggregate && !is_stack && tables->is_complete &&
	    truth_aggregate(tables, first->word))
		return VERDICT_WRONG;
	return VERDICT_OPEN;
}
