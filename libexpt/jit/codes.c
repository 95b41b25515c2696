/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/jit/codes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"

int jit_codes_add(struct jit_codes *codes, const struct jit_code *code, size_t length)
{
	const char *name;
	struct jit_code *new;

	if (code->end <= code->address)
		return 0;
	if (codes->count == JIT_CODES_MAX)
		return -E2BIG;
	name = arena_text(&codes->names, code->name, length);
	new = name ? array_add(codes) : NULL;
	if (!new)
		return -ENOMEM;
	*new = *code;
	new->name = name;
	new->order = (uint32_t)codes->count;
	return 0;
}

void jit_codes_release(struct jit_codes *codes)
{
	array_release(codes);
	array_release(&codes->pieces);
	arena_release(&codes->names);
}

/* ---- arranging --------------------------------------------------------------------- */

/* A pass over all addresses. The codes at the current one are in a heap, the latest on
 * top; those that have ended leave it when they get there. */
struct pass {
	struct jit_codes *codes;
	uint32_t *heap;
	size_t size, next; /* of the heap; the next code to enter it */
	uint64_t address;
};

static int compare_addresses(const void *a, const void *b)
{
	const struct jit_code *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static bool is_later(const struct pass *pass, uint32_t a, uint32_t b)
{
	const struct jit_code *x = &pass->codes->items[a], *y = &pass->codes->items[b];

	return x->loaded_ns != y->loaded_ns ? x->loaded_ns > y->loaded_ns
					    : x->order > y->order;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t kept = *a;

	*a = *b;
	*b = kept;
}

static void push(struct pass *pass, uint32_t code)
{
	size_t i = pass->size++;

	pass->heap[i] = code;
	for (; i > 0 && is_later(pass, pass->heap[i], pass->heap[(i - 1) / 2]);
	     i = (i - 1) / 2)
		swap(&pass->heap[i], &pass->heap[(i - 1) / 2]);
}

static void pop(struct pass *pass)
{
	size_t i = 0;

	pass->heap[0] = pass->heap[--pass->size];
	for (;;) {
		size_t latest = i;

		for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < pass->size; k++)
			if (is_later(pass, pass->heap[k], pass->heap[latest]))
				latest = k;
		if (latest == i)
			return;
		swap(&pass->heap[i], &pass->heap[latest]);
		i = latest;
	}
}

/* The four latest of a heap are among its first four levels. */
#define TOP_LEVELS 15

/* Insert a code among the owners of a piece, by time. */
static void add_owner(const struct pass *pass, struct jit_piece *piece, uint32_t code)
{
	uint32_t place = 0;

	while (place < piece->count && is_later(pass, piece->owners[place], code))
		place++;
	if (place == JIT_OWNERS)
		return;
	if (piece->count == JIT_OWNERS)
		piece->count--;
	memmove(&piece->owners[place + 1], &piece->owners[place],
		(piece->count - place) * sizeof(*piece->owners));
	piece->owners[place] = code;
	piece->count++;
}

/* Add the piece at the current address, up to end or where one of its codes ends. */
static int add_piece(struct pass *pass, uint64_t end)
{
	struct jit_codes *codes = pass->codes;
	struct jit_piece piece = { .address = pass->address };
	struct jit_piece *last = codes->pieces.count
					 ? &codes->pieces.items[codes->pieces.count - 1]
					 : NULL;
	struct jit_piece *new;

	for (size_t i = 0; i < pass->size && i < TOP_LEVELS; i++)
		if (codes->items[pass->heap[i]].end > pass->address)
			add_owner(pass, &piece, pass->heap[i]);
	for (uint32_t i = 0; i < piece.count; i++)
		if (codes->items[piece.owners[i]].end < end)
			end = codes->items[piece.owners[i]].end;
	pass->address = piece.end = end;
	if (last && last->end == piece.address && last->count == piece.count &&
	    memcmp(last->owners, piece.owners, sizeof(piece.owners)) == 0) {
		last->end = end;
		return 0;
	}
	new = array_add(&codes->pieces);
	if (!new)
		return -ENOMEM;
	*new = piece;
	return 0;
}

/* Add the piece at the current address, up to the next one where something changes. */
static int step(struct pass *pass)
{
	const struct jit_code *codes = pass->codes->items;
	uint64_t end;

	if (pass->size == 0)
		pass->address = codes[pass->next].address;
	while (pass->next < pass->codes->count &&
	       codes[pass->next].address == pass->address)
		push(pass, (uint32_t)pass->next++);
	while (pass->size > 0 && codes[pass->heap[0]].end <= pass->address)
		pop(pass);
	if (pass->size == 0)
		return 0;
	end = codes[pass->heap[0]].end;
	if (pass->next < pass->codes->count && codes[pass->next].address < end)
		end = codes[pass->next].address;
	return add_piece(pass, end);
}

int jit_codes_arrange(struct jit_codes *codes)
{
	struct pass pass = { .codes = codes };
	int rc = 0;

	if (codes->count == 0)
		return 0;
	qsort(codes->items, codes->count, sizeof(*codes->items), compare_addresses);
	pass.heap = calloc(codes->count, sizeof(*pass.heap));
	if (!pass.heap)
		return -ENOMEM;
	while (rc == 0 && (pass.size > 0 || pass.next < codes->count))
		rc = step(&pass);
	free(pass.heap);
	return rc;
}

/* ---- lookup ------------------------------------------------------------------------ */

static const struct jit_piece *find_piece(const struct jit_codes *codes, uint64_t address)
{
	size_t low = 0, high = codes->pieces.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (codes->pieces.items[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < codes->pieces.count && codes->pieces.items[low].address <= address
		       ? &codes->pieces.items[low]
		       : NULL;
}

const struct jit_code *jit_codes_find(const struct jit_codes *codes, uint64_t address,
				      uint64_t time_ns)
{
	const struct jit_piece *piece = find_piece(codes, address);
	uint32_t i = 0;

	if (!piece)
		return NULL;
	while (i + 1 < piece->count && codes->items[piece->owners[i]].loaded_ns > time_ns)
		i++;
	return &codes->items[piece->owners[i]];
}

size_t jit_codes_changes(const struct jit_codes *codes, uint64_t *times)
{
	size_t count = 0;

	for (size_t i = 0; i < codes->pieces.count; i++) {
		const struct jit_piece *piece = &codes->pieces.items[i];

		for (uint32_t k = 0; k + 1 < piece->count; k++, count++)
			if (times)
				times[count] = codes->items[piece->owners[k]].loaded_ns;
	}
	return count;
}
