/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the files of this directory. */
#ifndef LIBEXPT_OBJECTS_PRIVATE_H
#define LIBEXPT_OBJECTS_PRIVATE_H

#include "libexpt/dwarf/dwarf.h"
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
void object_debug_close(struct object_debug *debug);

/* file.c: open the file with the code of an object; -ENOENT, with the reason: there is
 * none. The caller closes it. */
int object_open_code(struct elf **out, struct expt_object *object,
		     struct expt_error *err);

/* function.c */
/* Add a row, a copy of like, and store its index in the slot of its key; NULL if out of
 * memory. */
struct expt_function *function_add(struct expt_object *object, uint32_t *slot,
				   const struct expt_function *like);
/* Returns the row of a load object's function or gap at an offset of its
 * image; the unknown function if out of memory. */
const struct expt_function *function_at(struct expt_object *object, uint64_t offset);
/* Returns the row of dynamic code with the owner, symbol (NULL: a gap) and size of
 * wanted, and the same key: its position in its owner, or, for gaps and whole functions,
 * its address. */
const struct expt_function *function_dynamic(struct expt_object *object,
					     const struct expt_function *wanted,
					     uint64_t key);
/* Returns the row of code made at run time, the same wherever it was made again, also
 * with another size: that with the symbol of wanted, which is copied. */
const struct expt_function *function_made(struct expt_object *object,
					  const struct expt_function *wanted);
/* Set the source and the lines of dynamic code; text may be NULL. */
void function_set_lines(struct expt_function *function, const char *source,
			const struct dynamic_lines *text);
/* Returns a new row of an inlined function with this symbol and source file, or NULL. */
const struct expt_function *function_inlined(struct expt_object *object,
					     const char *symbol, const char *source);

/* dynamic_code.c: read the code of a dynamic function; -ENOENT: it was not recorded. */
int dynamic_code_read(struct expt_code *code, const struct expt_function *function,
		      struct expt_error *err);

#endif
