/* SPDX-License-Identifier: Apache-2.0 */
/* The form in which an expression is evaluated: a tree in one array. */
#ifndef LIBEXPT_EXPRESSION_NODES_H
#define LIBEXPT_EXPRESSION_NODES_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum node_kind {
	NODE_CONSTANT,
	NODE_WORD,
	NODE_STACK,	/* a word that is a list of functions */
	NODE_NAMES,	/* FNAME or DNAME: value is the number of its set */
	NODE_LIST,	/* of scalars and names */
	NODE_CONSTANTS, /* a list that is sorted: first is an index of constants */
	NODE_NOT,
	NODE_COMPLEMENT,
	NODE_NEGATIVE,
	NODE_CHOICE, /* ?: */
	NODE_AND,    /* of any number of operands */
	NODE_OR,
	NODE_IN,
	NODE_SOME_IN,
	NODE_ORDERED_IN,
	NODE_BIT_OR,
	NODE_BIT_XOR,
	NODE_BIT_AND,
	NODE_EQUAL,
	NODE_UNEQUAL,
	NODE_LESS,
	NODE_LESS_EQUAL,
	NODE_GREATER,
	NODE_GREATER_EQUAL,
	NODE_SHIFT_LEFT,
	NODE_SHIFT_RIGHT,
	NODE_ADD,
	NODE_SUBTRACT,
	NODE_MULTIPLY,
	NODE_DIVIDE,
	NODE_REMAINDER,
	/* An offset, added to the kinds from NODE_BIT_OR on: the operands are also in the
	 * node itself, as its word and its value. Most filters are made of these. */
	NODE_WITH_CONSTANT = 64,
};

/* Children are linked by their indexes. Node 0 is always a constant 0 and never a child:
 * as a link, 0 means none. */
struct node {
	uint8_t kind;	   /* enum node_kind */
	uint8_t word;	   /* enum expression_word */
	uint8_t depends;   /* enum expression_dependence, combined */
	uint16_t depth;	   /* of the tree below */
	uint32_t first;	   /* child */
	uint32_t last;	   /* child */
	uint32_t next;	   /* sibling */
	uint32_t count;	   /* of children, or of constants */
	uint32_t position; /* in the text */
	uint32_t cost;	   /* evaluations of nodes, at most */
	uint64_t value;
};

struct expression_name {
	bool is_data;
	char *text;
	regex_t regex;
};

struct expression {
	char *text;
	uint32_t root;
	struct {
		struct node *items;
		size_t count, capacity;
	} nodes;
	struct {
		uint64_t *items;
		size_t count, capacity;
	} constants;
	struct {
		struct expression_name *items;
		size_t count, capacity;
	} names;
	size_t names_cost; /* of the regular expressions: see pattern.h */
};

#endif
