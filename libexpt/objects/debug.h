/* SPDX-License-Identifier: Apache-2.0 */
/* Debug data of a load object that another part of the library asks for itself. */
#ifndef LIBEXPT_OBJECTS_DEBUG_H
#define LIBEXPT_OBJECTS_DEBUG_H

#include "libexpt/dwarf/dwarf.h"
#include "libexpt/objects/object.h"

struct object_debug;

/* Open the debug data of an object anew, with the places of variables. NULL: there are
 * none, or out of memory. The caller closes them before the object is released. */
struct object_debug *object_debug_open(struct expt_object *object);
void object_debug_close(struct object_debug *debug);
struct dwarf *object_debug_dwarf(const struct object_debug *debug);
/* The file of the object by which addresses and image offsets are converted. */
const struct elf *object_debug_elf(const struct object_debug *debug);

#endif
