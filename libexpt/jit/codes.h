/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of code that a program made at run time, by address and time. Memory is used
 * again: what was made later counts from then on.
 */
#ifndef LIBEXPT_JIT_CODES_H
#define LIBEXPT_JIT_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/arena.h"

struct jit_code {
	uint64_t address, end;
	uint64_t loaded_ns; /* since the start; 0: always there */
	const char *name;
	uint32_t order; /* in which it was added */
};

/* The last codes at an address count; of older ones nothing is kept. */
#define JIT_OWNERS 4

/* Addresses with the same codes. */
struct jit_piece {
	uint64_t address, end;
	uint32_t owners[JIT_OWNERS], count; /* the latest first */
};

struct jit_codes {
	struct jit_code *items;
	size_t count, capacity;
	struct {
		struct jit_piece *items; /* by address */
		size_t count, capacity;
	} pieces;
	struct arena names;
};

#define JIT_CODES_MAX (1u << 20)

/* Add a code, before jit_codes_arrange(). Returns 0, -ENOMEM, or -E2BIG: too many. One
 * without a size is ignored. */
int jit_codes_add(struct jit_codes *codes, const struct jit_code *code, size_t length);
/* Returns 0 or -ENOMEM. */
int jit_codes_arrange(struct jit_codes *codes);
/* Returns the code at an address at a time: the last one made by then, else the first one
 * after; or NULL. */
const struct jit_code *jit_codes_find(const struct jit_codes *codes, uint64_t address,
				      uint64_t time_ns);
/* Get the times at which the code at some address changes, in no order; times may be
 * NULL. Returns their number. */
size_t jit_codes_changes(const struct jit_codes *codes, uint64_t *times);
void jit_codes_release(struct jit_codes *codes);

#endif
