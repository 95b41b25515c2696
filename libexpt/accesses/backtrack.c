/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/accesses/backtrack.h"

void backtrack_mark(struct function *function)
{
	for (size_t i = 0; i < function->steps.count; i++) {
		const struct step *step = &function->steps.items[i];
		size_t target;

		if (step->kind != STEP_JUMP && step->kind != STEP_BRANCH)
			continue;
		if (!step->has_target) {
			function->has_other_targets = true;
			function->has_loading_jumps |= step->is_access;
			continue;
		}
		target = steps_before(function, step->target);
		if (target < function->steps.count &&
		    function->steps.items[target].address == step->target)
			function->steps.items[target].is_target = true;
	}
}

static bool is_jump(const struct step *step)
{
	return step->kind == STEP_CALL || step->kind == STEP_JUMP ||
	       step->kind == STEP_BRANCH || step->kind == STEP_RETURN;
}

/* Go back from a step to the one before it. */
static enum backtrack go_back(const struct function *function, size_t step)
{
	if (function->steps.items[step].is_target)
		return BACKTRACK_BRANCH_TARGET;
	if (function->has_other_targets)
		return BACKTRACK_NOT_VERIFIED;
	if (step == 0)
		return BACKTRACK_NOT_FOUND;
	return is_jump(&function->steps.items[step - 1]) ? BACKTRACK_INSTRUCTION
							 : BACKTRACK_FOUND;
}

static bool is_of_kind(const struct step *step, enum access_kind kind)
{
	return step->is_access && (kind & (step->is_write ? ACCESS_STORE : ACCESS_LOAD));
}

enum backtrack backtrack_find(size_t *found, const struct function *function,
			      uint64_t address, enum access_kind kind, size_t reach)
{
	size_t step = steps_before(function, address);

	if (step >= function->steps.count ||
	    function->steps.items[step].address != address)
		return BACKTRACK_NOT_VERIFIED;
	for (; reach > 0; reach--) {
		enum backtrack result = go_back(function, step);

		if (result != BACKTRACK_FOUND)
			return result;
		step--;
		*found = step;
		if (is_of_kind(&function->steps.items[step], kind))
			return BACKTRACK_FOUND;
	}
	return BACKTRACK_NOT_FOUND;
}

/* An instruction that repeats itself is interrupted between its repetitions, too. */
static bool is_repeated(const struct step *step)
{
	return step->is_access && step->operand.is_moving;
}

enum backtrack backtrack_last(size_t *found, const struct function *function,
			      uint64_t address)
{
	size_t step = steps_before(function, address);
	const struct step *there, *before;

	if (step >= function->steps.count ||
	    function->steps.items[step].address != address || function->has_loading_jumps)
		return BACKTRACK_NOT_VERIFIED;
	there = &function->steps.items[step];
	before = step > 0 ? there - 1 : NULL;
	if (before && is_jump(before) && !is_repeated(there))
		return BACKTRACK_INSTRUCTION;
	if (before && before->is_access && !is_jump(before)) {
		*found = step - 1;
		return is_repeated(there) ? BACKTRACK_NOT_VERIFIED : BACKTRACK_FOUND;
	}
	*found = step;
	return is_repeated(there) ? BACKTRACK_FOUND : BACKTRACK_NOT_FOUND;
}

enum backtrack backtrack_verify(const struct function *function, uint64_t from,
				uint64_t to)
{
	size_t first = steps_before(function, from), step = steps_before(function, to);

	if (first >= function->steps.count || step >= function->steps.count ||
	    function->steps.items[first].address != from ||
	    function->steps.items[step].address != to || first > step)
		return BACKTRACK_NOT_VERIFIED;
	while (step > first) {
		enum backtrack result = go_back(function, step);

		if (result != BACKTRACK_FOUND)
			return result;
		step--;
	}
	return BACKTRACK_FOUND;
}
