/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unwind data for debuggers only: .debug_frame, which is in an object's file but not in
 * memory. It is read for objects whose .eh_frame covers little of their code, converted
 * to the form of an .eh_frame with a table, and never freed.
 */
#ifndef COLLECTOR_UNWIND_DEBUG_FRAME_H
#define COLLECTOR_UNWIND_DEBUG_FRAME_H

#include <link.h>

#include "collector/unwind/cfi.h"

/* Call in normal context. False: there is none, or it is not needed. code is the size of
 * the object's code in bytes; the functions in the table are relative to base. */
bool debug_frame_read(struct cfi_section *section, const struct cfi_section *own,
		      const struct dl_phdr_info *info, uintptr_t base, uintptr_t code);

#endif
