/* SPDX-License-Identifier: Apache-2.0 */
/* The search for circles of orders. */
#ifndef COLLECTOR_DEADLOCK_CIRCLES_H
#define COLLECTOR_DEADLOCK_CIRCLES_H

struct order;
struct occurrence;

/* Record the circles that this occurrence of an order closes, unless the like of them has
 * been recorded. Called with the guard. */
void circles_find(struct order *order, const struct occurrence *occurrence);

#endif
