/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of call frame information. */
#ifndef COLLECTOR_UNWIND_INSTRUCTIONS_H
#define COLLECTOR_UNWIND_INSTRUCTIONS_H

#include "collector/unwind/entry.h"

/* Run the common entry's instructions, then the function's own up to pc. */
bool cfi_run_entry(struct cfi_rules *rules, const struct cfi_entry *entry, uintptr_t pc);

#endif
