/* SPDX-License-Identifier: Apache-2.0 */
/* Structures by the number of a process or thread. */
#ifndef COLLECTOR_OUTSIDE_NUMBERED_H
#define COLLECTOR_OUTSIDE_NUMBERED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Each item begins with its number, a pid_t. The kernel has -1 for threads that have
 * lost theirs. */
struct numbered {
	void *slots; /* open addressing; nothing is taken out */
	size_t width, size, used;
};

/* Returns the item of that number, or NULL. It is valid until another one is made. */
void *numbered_find(const struct numbered *table, pid_t number);
/* Returns the item of that number; a new one is all zero but for the number. NULL: out of
 * memory. width: the size of all items of the table. */
void *numbered_get(struct numbered *table, size_t width, pid_t number, bool *is_new);
/* Returns the item after another one, or after NULL the first; NULL: there is none. */
void *numbered_next(const struct numbered *table, const void *item);
void numbered_release(struct numbered *table);

#endif
