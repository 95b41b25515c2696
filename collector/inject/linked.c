/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/linked.h"

#include <link.h>

#include "collector/inject/maps.h"
#include "collector/inject/symbols.h"

/* The linker changes the list while we read it, so an entry may be gone. */
void linked_read(struct linked *linked, int memory, uint64_t linker)
{
	uint64_t address = symbols_find(memory, linker, "_r_debug");
	struct r_debug head = {};
	struct link_map entry;

	linked->count = 0;
	if (!address || !memory_read(memory, address, &head, sizeof(head)))
		return;
	address = (uint64_t)(uintptr_t)head.r_map;
	while (address && linked->count < LINKED_MAX &&
	       memory_read(memory, address, &entry, sizeof(entry))) {
		linked->starts[linked->count++] = entry.l_addr;
		address = (uint64_t)(uintptr_t)entry.l_next;
	}
}

bool linked_has(const struct linked *linked, uint64_t start)
{
	for (size_t i = 0; i < linked->count; i++)
		if (linked->starts[i] == start)
			return true;
	return false;
}
