/* SPDX-License-Identifier: Apache-2.0 */
/* Searches in sets, stacks and sorted numbers. */
#ifndef LIBEXPT_EXPRESSION_SEARCH_H
#define LIBEXPT_EXPRESSION_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expression_stack;
struct expression_set;

bool set_has(const struct expression_set *set, uint64_t id);
bool stack_has(const struct expression_stack *stack, uint64_t value);
bool stack_has_any(const struct expression_stack *stack,
		   const struct expression_set *set);
/* numbers: sorted, at least one */
bool numbers_have(const uint64_t *numbers, size_t count, uint64_t value);
bool stack_has_number(const struct expression_stack *stack, const uint64_t *numbers,
		      size_t count);

#endif
