/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries of a process that the dynamic linker has loaded for the program itself.
 * dlmopen(3) loads others apart, among them a second libc. */
#ifndef COLLECTOR_INJECT_LINKED_H
#define COLLECTOR_INJECT_LINKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINKED_MAX 4096

/* Addresses at which they begin. */
struct linked {
	uint64_t starts[LINKED_MAX];
	size_t count;
};

/* Read the list of the dynamic linker that begins at this address. It is empty if the
 * linker has not begun it. */
void linked_read(struct linked *linked, int memory, uint64_t linker);

/* Returns true if a library that begins there is one of them. */
bool linked_has(const struct linked *linked, uint64_t start);

#endif
