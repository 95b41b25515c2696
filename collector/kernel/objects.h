/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects of the kernel and its modules: files in the archive of the experiment with
 * the functions that were seen, at their addresses, and no code. Readers find them by the
 * name of the module.
 */
#ifndef COLLECTOR_KERNEL_OBJECTS_H
#define COLLECTOR_KERNEL_OBJECTS_H

#include "collector/common/map_text.h"
#include "collector/kernel/symbols.h"

/* Fill the segment that the code of a module has in map.xml. */
void object_segment(struct map_segment *segment, const struct module *module);
/* Write the objects of modules with functions that are not in their file yet. Returns 0,
 * or a negative errno. */
int objects_write(struct symbols *symbols, int archives);

#endif
