/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the nodes of an expression, and computes the parts that are constant. The first
 * failure is kept: later calls return node 0 and change nothing.
 */
#ifndef LIBEXPT_EXPRESSION_BUILD_H
#define LIBEXPT_EXPRESSION_BUILD_H

#include "libexpt/expression/nodes.h"
#include "libexpt/expt.h"

/* Trees and texts may be nested this deep: both are walked recursively. */
#define EXPRESSION_DEPTH_MAX 500
/* Elements of lists are evaluated for each comparison, which multiplies where lists are
 * in lists. An evaluation of an expression then takes a few milliseconds at most. */
#define EXPRESSION_COST_MAX 1000000

struct builder {
	struct expression *expression;
	uint32_t position; /* in the text, of the next node */
	int code;	   /* 0, or the first failure */
	struct expt_error *err;
};

/* Describe the first failure: "column N: ...". */
void builder_fail(struct builder *builder, size_t position, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

uint32_t build_constant(struct builder *builder, uint64_t value);
uint32_t build_word(struct builder *builder, uint8_t word);
/* set: the number of the set of FNAME or DNAME */
uint32_t build_names(struct builder *builder, uint64_t set);

uint32_t build_unary(struct builder *builder, enum node_kind kind, uint32_t a);
uint32_t build_binary(struct builder *builder, enum node_kind kind, uint32_t a,
		      uint32_t b);
uint32_t build_choice(struct builder *builder, uint32_t condition, uint32_t a,
		      uint32_t b);
/* Add an element to a list, or, if that is 0, to a new one. Returns the list. */
uint32_t build_list(struct builder *builder, uint32_t list, uint32_t element);
/* IN, SOME IN, ORDERED IN */
uint32_t build_in(struct builder *builder, enum node_kind kind, uint32_t a, uint32_t b);
/* The value of a list is that of its last element; a stack does not have one. */
uint32_t build_scalar(struct builder *builder, uint32_t a);

#endif
