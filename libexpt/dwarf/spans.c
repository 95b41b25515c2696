/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/spans.h"

#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/array.h"

/* Linkers leave 0 or 1, or -1 or -2, in place of the address of dropped code. */
#define DROPPED_LOW  1
#define DROPPED_HIGH (UINT64_MAX - 1)

int spans_add(struct spans *spans, uint64_t low, uint64_t high, uint32_t value)
{
	struct span *span;

	if (low <= DROPPED_LOW || low >= DROPPED_HIGH || high <= low)
		return 0;
	span = array_add(spans);
	if (!span)
		return -ENOMEM;
	*span = (struct span){ low, high, value };
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* ---- cutting ---- */

/* The spans at a place, with the largest value on top: a heap. */
struct heap {
	const struct span **items;
	size_t count;
};

static void swap(struct heap *heap, size_t i, size_t j)
{
	const struct span *held = heap->items[i];

	heap->items[i] = heap->items[j];
	heap->items[j] = held;
}

static void push(struct heap *heap, const struct span *span)
{
	size_t i = heap->count++;

	heap->items[i] = span;
	for (; i > 0 && heap->items[(i - 1) / 2]->value < span->value; i = (i - 1) / 2)
		swap(heap, i, (i - 1) / 2);
}

static void pop(struct heap *heap)
{
	size_t i = 0, child;

	heap->items[0] = heap->items[--heap->count];
	while ((child = 2 * i + 1) < heap->count) {
		if (child + 1 < heap->count &&
		    heap->items[child + 1]->value > heap->items[child]->value)
			child++;
		if (heap->items[child]->value <= heap->items[i]->value)
			return;
		swap(heap, i, child);
		i = child;
	}
}

/* Append a span, or extend the last one. */
static int append(struct spans *out, uint64_t low, uint64_t high, uint32_t value)
{
	struct span *last = out->count > 0 ? &out->items[out->count - 1] : NULL;

	if (!last || last->high != low || last->value != value)
		return spans_add(out, low, high, value);
	last->high = high;
	return 0;
}

/* Go through the sorted spans from place to place where one begins or ends. */
static int cut(struct spans *out, struct heap *heap, const struct spans *spans)
{
	uint64_t place = 0, end;
	size_t next = 0;

	while (next < spans->count || heap->count > 0) {
		if (heap->count == 0)
			place = spans->items[next].low;
		while (next < spans->count && spans->items[next].low <= place)
			push(heap, &spans->items[next++]);
		while (heap->count > 0 && heap->items[0]->high <= place)
			pop(heap);
		if (heap->count == 0)
			continue;
		end = heap->items[0]->high;
		if (next < spans->count && spans->items[next].low < end)
			end = spans->items[next].low;
		if (append(out, place, end, heap->items[0]->value) < 0)
			return -ENOMEM;
		place = end;
	}
	return 0;
}

static bool overlap(const struct spans *spans)
{
	for (size_t i = 1; i < spans->count; i++)
		if (spans->items[i].low < spans->items[i - 1].high)
			return true;
	return false;
}

int spans_finish(struct spans *spans)
{
	struct spans out = { .items = NULL };
	struct heap heap = { .count = 0 };
	int rc = -ENOMEM;

	if (spans->count == 0)
		return 0;
	qsort(spans->items, spans->count, sizeof(*spans->items), compare);
	if (!overlap(spans))
		return 0;
	heap.items = calloc(spans->count, sizeof(struct span *));
	if (heap.items)
		rc = cut(&out, &heap, spans);
	free(heap.items);
	array_release(spans);
	*spans = out;
	if (rc < 0)
		array_release(spans);
	return rc;
}

/* ---- finding ---- */

size_t spans_count_to(const struct spans *spans, uint64_t address)
{
	size_t low = 0, high = spans->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spans->items[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t spans_find(const struct spans *spans, uint64_t address)
{
	size_t count = spans_count_to(spans, address);

	return count > 0 && address < spans->items[count - 1].high
		       ? spans->items[count - 1].value
		       : SPAN_NONE;
}
