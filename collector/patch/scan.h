/* SPDX-License-Identifier: Apache-2.0 */
/* The slots through which a module calls functions that we wrap, and where they lead. */
#ifndef COLLECTOR_PATCH_SCAN_H
#define COLLECTOR_PATCH_SCAN_H

#include <stdbool.h>

#include "collector/patch/wrappers.h"
#include "collector/patch/write.h"

enum scan_finding {
	SCAN_BOUND, /* leads to the function that the wrapper calls, or will */
	SCAN_OURS,  /* leads to the wrapper already, perhaps through the program's PLT */
	SCAN_UNBOUND,	/* the dynamic linker has not been here yet */
	SCAN_UNSURE,	/* to be bound at its first call, perhaps to another function */
	SCAN_ELSEWHERE, /* leads to another function */
	SCAN_KEPT,	/* leads to the program's own function, or to a sanitizer's */
	SCAN_FINDINGS
};

struct scan {
	const struct module *module;
	bool is_global; /* it is bound to the first definition, whoever has it */
	void (*take)(struct scan *scan, enum scan_finding finding, slot_value *slot,
		     uintptr_t value, const struct wrapper *wrapper);
	void *data;
};

void scan_module(struct scan *scan);

#endif
