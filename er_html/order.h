/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting by small numbers, in time that grows with what is sorted. */
#ifndef ER_HTML_ORDER_H
#define ER_HTML_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sort an order, in which each number is the place of a key, by the keys; those of one
 * key stay in their order. false: out of memory. */
bool order_by(uint32_t *order, size_t count, const uint32_t *keys);
/* Returns the numbers from 0 on, to be freed; NULL: out of memory. */
uint32_t *order_new(size_t count);

#endif
