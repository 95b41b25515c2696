/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the vdso, for map.xml. All processes have the same one, each at its
 * address. */
#ifndef COLLECTOR_VDSO_H
#define COLLECTOR_VDSO_H

#include "collector/base/text.h"

/* address 0: where this process has it. The time is since the start. */
void vdso_compose(struct text *text, uintptr_t address, uint64_t relative_ns);

#endif
