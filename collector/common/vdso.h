/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the vdso, for map.xml. All processes map the same one, each at an
 * address of its own. */
#ifndef COLLECTOR_COMMON_VDSO_H
#define COLLECTOR_COMMON_VDSO_H

#include "collector/base/text.h"

/* address 0: the address in this process. The time is relative to the start. */
void vdso_compose(struct text *text, uintptr_t address, uint64_t relative_ns);

#endif
