/* SPDX-License-Identifier: Apache-2.0 */
/* The names of PLT stubs: those of the functions to which they jump. */
#ifndef LIBEXPT_OBJECTS_PLT_H
#define LIBEXPT_OBJECTS_PLT_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/elf/elf.h"

struct plt {
	struct idmap by_address; /* of the stub, as in the file */
	struct {
		const char **items;
		size_t count, capacity;
	} names;
};

/* Read the stubs of a file, which must not have been finished. Where they cannot be read,
 * there are none. Names are copied to the arena. */
void plt_read(struct plt *plt, const struct elf *elf, struct arena *arena);
void plt_release(struct plt *plt);
/* Returns the symbol of the stub at an address, or NULL. */
const char *plt_name(const struct plt *plt, uint64_t address);

#endif
