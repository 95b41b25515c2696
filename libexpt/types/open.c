/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/types/open.h"

#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/types/callee.h"
#include "libexpt/types/private.h"
#include "libexpt/types/scopes.h"

struct types *types_open(struct dwarf *dwarf)
{
	struct types *types = calloc(1, sizeof(*types));

	if (types)
		types->dwarf = dwarf;
	return types;
}

void types_spend(struct types *types, uint64_t units)
{
	types->spent += units;
}

uint64_t types_spent(const struct types *types)
{
	return types->spent;
}

void types_close(struct types *types)
{
	if (!types)
		return;
	scopes_release(types);
	callees_release(types);
	array_release(&types->records);
	array_release(&types->entries);
	idmap_release(&types->by_entry);
	idmap_release(&types->by_name);
	arena_release(&types->arena);
	free(types);
}
