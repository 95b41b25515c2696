/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/order.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"

/* Keys are sorted by these bits first, then by those above. */
#define DIGIT_BITS 16
#define DIGITS	   (1u << DIGIT_BITS)

static void sort_by_digit(const uint32_t *from, uint32_t *to, size_t count,
			  const uint32_t *keys, unsigned shift, size_t *starts)
{
	size_t start = 0;

	memset(starts, 0, DIGITS * sizeof(*starts));
	for (size_t i = 0; i < count; i++)
		starts[keys[from[i]] >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t here = starts[i];

		starts[i] = start;
		start += here;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[keys[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
}

static uint32_t largest(const uint32_t *keys, size_t count)
{
	uint32_t found = 0;

	for (size_t i = 0; i < count; i++)
		found = keys[i] > found ? keys[i] : found;
	return found;
}

bool order_by(uint32_t *order, size_t count, const uint32_t *keys)
{
	uint32_t *other = array_zeroed(count + 1, sizeof(*other));
	size_t *starts = calloc(DIGITS, sizeof(*starts));

	if (other && starts) {
		sort_by_digit(order, other, count, keys, 0, starts);
		if (largest(keys, count) < DIGITS)
			memcpy(order, other, count * sizeof(*order));
		else
			sort_by_digit(other, order, count, keys, DIGIT_BITS, starts);
	}
	free(starts);
	free(other);
	return other && starts;
}

uint32_t *order_new(size_t count)
{
	uint32_t *order = array_zeroed(count + 1, sizeof(*order));

	for (size_t i = 0; i < count && order; i++)
		order[i] = (uint32_t)i;
	return order;
}
