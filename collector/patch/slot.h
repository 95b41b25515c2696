/* SPDX-License-Identifier: Apache-2.0 */
/* One function that one module calls, led elsewhere. */
#ifndef COLLECTOR_PATCH_SLOT_H
#define COLLECTOR_PATCH_SLOT_H

#include <stdbool.h>

/* Lead the calls of the named function by the module that has this code; NULL: by all
 * modules. Returns false if there is no slot for the function, or none that can be
 * written. Waits for the lock of the dynamic linker. */
bool slot_lead(const void *code, const char *name, void *function);

#endif
