/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of libc and libgomp that libraries of ours wrap, as far as these were
 * opened late: the defined symbols that carry a version of those, or none.
 */
#ifndef COLLECTOR_PATCH_WRAPPERS_H
#define COLLECTOR_PATCH_WRAPPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/base/module.h"

struct wrapper {
	const char *name;
	struct module_version version; /* without a name: suits every caller */
	uint32_t hash;
	uint16_t next; /* with the same hash, counted from 1 */
	uintptr_t ours;
	uintptr_t real; /* the function that the program was bound to; 0: none */
	uintptr_t plt;	/* where the program's PLT stands for it; 0: nowhere */
	bool is_kept; /* real is the program's own, or a sanitizer's: it is not wrapped */
	bool is_far;  /* real is in a module that may be closed */
	enum { RIVALS_UNKNOWN, RIVALS_NONE, RIVALS_FOUND } rivals;
};

/* Is this libcollector.so, or a library that uses its private symbols? */
bool wrappers_are_of(const struct module *module);

void wrappers_clear(void);
/* Add those of one library of ours. Of two that wrap the same function, the later one
 * calls the other. */
void wrappers_add(const struct module *module);
/* Modules have come or gone: forget what modules that may be closed define. */
void wrappers_unbind_far(void);
/* Look in this module for functions that none of the modules before it defines. */
enum wrappers_place { WRAPPERS_PROGRAM, WRAPPERS_UP_TO_LIBC, WRAPPERS_FAR };
void wrappers_bind(const struct module *module, enum wrappers_place place);

/* Returns whether there is a wrapper of which the name begins so; see
 * module_symbol_start(). Most symbols are sorted out by this. */
bool wrappers_have(uint32_t start);
/* Returns the wrapper of the symbol with this index, as the module wants its version;
 * NULL: none. */
struct wrapper *wrappers_find(const struct module *module, size_t index,
			      const char *name);
/* Does another module define the function as well? */
bool wrapper_has_rivals(struct wrapper *wrapper);

#endif
