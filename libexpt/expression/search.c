/* SPDX-License-Identifier: Apache-2.0 */
/* Searches in sets, stacks and sorted numbers. */
#include "libexpt/expression/search.h"
#include "libexpt/expression/evaluate.h"

bool set_has(const struct expression_set *set, uint64_t id)
{
	return id < set->limit && set->has[id];
}

bool stack_has(const struct expression_stack *stack, uint64_t value)
{
	for (size_t i = 0; i < stack->count; i++)
		if (stack->functions[i] == value)
			return true;
	return false;
}

bool stack_has_any(const struct expression_stack *stack, const struct expression_set *set)
{
	for (size_t i = 0; i < stack->count; i++)
		if (set_has(set, stack->functions[i]))
			return true;
	return false;
}

bool numbers_have(const uint64_t *numbers, size_t count, uint64_t value)
{
	for (size_t half; count > 1; count -= half) {
		half = count / 2;
		numbers += numbers[half] <= value ? half : 0;
	}
	return *numbers == value;
}

bool stack_has_number(const struct expression_stack *stack, const uint64_t *numbers,
		      size_t count)
{
	for (size_t i = 0; i < stack->count; i++)
		if (numbers_have(numbers, count, stack->functions[i]))
			return true;
	return false;
}
