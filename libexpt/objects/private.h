/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the files of this directory. */
#ifndef LIBEXPT_OBJECTS_PRIVATE_H
#define LIBEXPT_OBJECTS_PRIVATE_H

#include "libexpt/objects/debug.h"
#include "libexpt/objects/function.h"
#include "libexpt/objects/object.h"

/* The positions of an image offset, once they were asked for. */
struct position_answer {
	const struct expt_position *items;
	size_t count;
};

/* The debug data of an object, and what was asked of them. */
struct object_debug {
	struct expt_object *object;
	struct dwarf *dwarf; /* NULL: there are none */
	char *path; /* of their file, by which files that belong to it are found */
	struct idmap by_offset;
	struct {
		struct position_answer *items;
		size_t count, capacity;
	} answers;
	struct {
		const struct expt_function **items; /* by index in the debug data */
		size_t count, capacity;
	} inlined;
};

/* file.c: find the file and read its symbols; object->problem is set on failure. */
void object_load(struct expt_object *object);
/* Open the best file of the object that has this section with content, or NULL. */
struct elf *object_open_with(struct expt_object *object, const char *section);

/* debug.c: returns the debug data of a load object, opened at the first call; NULL: there
 * are none. */
struct object_debug *object_debug(struct expt_object *object);

/* file.c: open the file with the code of an object; -ENOENT, with the reason: there is
 * none. The caller closes it. */
int object_open_code(struct elf **out, struct expt_object *object,
		     struct expt_error *err);

/* dynamic_code.c: read the code of a dynamic function; -ENOENT: it was not recorded. */
int dynamic_code_read(struct expt_code *code, const struct expt_function *function,
		      struct expt_error *err);

#endif
