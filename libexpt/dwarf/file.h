/* SPDX-License-Identifier: Apache-2.0 */
/* Files with debug data. */
#ifndef LIBEXPT_DWARF_FILE_H
#define LIBEXPT_DWARF_FILE_H

#include "libexpt/dwarf/private.h"

/* Read the sections of a file, which is taken over, also on failure. No descriptor stays
 * open. NULL, for the common file, is an empty file. is_split: it has the sections of
 * split units. -EBADMSG: damaged. */
int dwarf_file_open(struct dwarf_file *file, struct dwarf *dwarf, struct elf *elf,
		    bool is_split, struct expt_error *err);
void dwarf_file_close(struct dwarf_file *file);

#endif
