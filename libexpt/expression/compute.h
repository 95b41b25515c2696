/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of two numbers, which have no sign, as in gprofng. The function is in a
 * header, so that the compiler can make it a part of the evaluation. */
#ifndef LIBEXPT_EXPRESSION_COMPUTE_H
#define LIBEXPT_EXPRESSION_COMPUTE_H

#include <stdint.h>

#include "libexpt/expression/nodes.h"

/* Any two numbers have a result: by 0, a quotient and a remainder are 0. */
static inline uint64_t node_compute(enum node_kind kind, uint64_t a, uint64_t b)
{
	switch (kind) {
	case NODE_BIT_OR:
		return a | b;
	case NODE_BIT_XOR:
		return a ^ b;
	case NODE_BIT_AND:
		return a & b;
	case NODE_EQUAL:
		return a == b;
	case NODE_UNEQUAL:
		return a != b;
	case NODE_LESS:
		return a < b;
	case NODE_LESS_EQUAL:
		return a <= b;
	case NODE_GREATER:
		return a > b;
	case NODE_GREATER_EQUAL:
		return a >= b;
	case NODE_SHIFT_LEFT:
		return a << (b & 63);
	case NODE_SHIFT_RIGHT:
		return a >> (b & 63);
	case NODE_ADD:
		return a + b;
	case NODE_SUBTRACT:
		return a - b;
	case NODE_MULTIPLY:
		return a * b;
	case NODE_DIVIDE:
		return b ? a / b : 0;
	case NODE_REMAINDER:
		return b ? a % b : 0;
	default:
		return 0;
	}
}

#endif
