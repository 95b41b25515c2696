/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects and their functions, one table for a founder and all below it, so that a
 * row is the same in every process. object.c makes them, file.c finds their files,
 * function.c names their functions, place.c says what is at an address.
 */
#ifndef LIBEXPT_OBJECTS_OBJECT_H
#define LIBEXPT_OBJECTS_OBJECT_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/elf/demangle.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/objects/symbols.h"

#define UNKNOWN_NAME "<Unknown>"

struct expt_function {
	struct expt_object *object;
	uint64_t start, size;
	size_t first, count; /* its names in the object's symbol table */
	bool is_plt;
	const char *owner; /* of a part or gap of dynamic code: the function around it */
	/* Filled when first asked for; the symbol of dynamic functions at once. */
	const char *symbol, *long_name, *short_name;
	const char *alias, *source; /* of a dynamic function, or NULL */
	const char *const *aliases;
	bool has_aliases;
};

struct function_rows {
	struct expt_function **items;
	size_t count, capacity;
	struct idmap
		by_start; /* load objects: offset in the image; dynamic code: a hash */
};

struct expt_object {
	struct object_table *table;
	size_t index;
	const char *path, *name, *build_id;
	bool is_file; /* not <Unknown>, not dynamic code */
	bool has_identity;
	uint64_t file_size, mtime_ns;
	uint64_t mapped_end; /* in the image: of the last byte known to be mapped */

	bool is_loaded; /* or at least tried */
	const char *file, *problem;
	struct elf *elf;
	struct symbol_table symbols;
	struct function_rows rows;
};

struct object_table {
	struct arena strings;
	struct demangler demangler;
	struct {
		struct expt_object **items; /* the first one is unknown_object */
		size_t count, capacity;
	} objects;
	struct idmap by_identity;
	struct expt_object *dynamic; /* DYNAMIC_FUNCTIONS, or NULL */
	struct folder archives;	     /* the founder's archives directory, perhaps none */
	const char *archives_path;
	int64_t started_at; /* of the founder, in seconds; 0: unknown */
};

/* There is nothing to find out about these two, so all experiments share them. */
extern const struct expt_object unknown_object;
extern const struct expt_function unknown_function;

/* The table of the experiment's founder, made at the first call; NULL when out of memory.
 */
struct object_table *object_table_get(struct expt *expt);

/* The object that a segment is of; with make, one that was not met yet is added. */
struct expt_object *object_of_segment(struct object_table *table,
				      const struct expt_segment *segment, bool make);
struct expt_object *object_dynamic(struct object_table *table);

#endif
