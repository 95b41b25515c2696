/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unwind data that is there for debuggers only: .debug_frame of an object's file, which
 * is in no memory. It is read for objects whose .eh_frame covers little of their code,
 * given the form of an .eh_frame with a table, and never given back.
 */
#ifndef COLLECTOR_UNWIND_DEBUG_FRAME_H
#define COLLECTOR_UNWIND_DEBUG_FRAME_H

#include <link.h>

#include "collector/unwind/cfi.h"

/* Normal context. False: there is none, or no need of it. code is how much of the object
 * is code, in bytes; base is where its addresses begin to count. */
bool debug_frame_read(struct cfi_section *section, const struct cfi_section *own,
		      const struct dl_phdr_info *info, uintptr_t base, uintptr_t code);

#endif
