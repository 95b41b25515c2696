/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Load objects and their functions, in one table for a founder and all its descendants,
 * so that a row is the same in every process. object.c makes them, file.c finds their
 * files, function.c names their functions; ../places maps addresses to them. debug.c
 * finds their debug data, positions.c asks them for lines, source.c finds the text of
 * these.
 */
#ifndef LIBEXPT_OBJECTS_OBJECT_H
#define LIBEXPT_OBJECTS_OBJECT_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/names/demangle.h"
#include "libexpt/objects/dyntext.h"
#include "libexpt/objects/identity.h"
#include "libexpt/objects/lined_code.h"
#include "libexpt/objects/outlined.h"
#include "libexpt/objects/symbols.h"

#define UNKNOWN_NAME "<Unknown>"

/* Where a dynamic function was first seen. */
struct dynamic_origin {
	const char *experiment; /* the name of a descendant, or "": the founder */
	struct dyntext_key key; /* of the whole function of which it may be a part */
};

/* By what the code of a Java method is found. Strings live as long as the experiment. */
struct java_bytecode {
	const char *class_name;		  /* "pkg/Cell" */
	const char *name, *signature;	  /* "main", "([Ljava/lang/String;)V" */
	const char *location;		  /* the path of a jar or class file, or "" */
	const struct dynamic_line *lines; /* by offset */
	size_t line_count;
};

struct expt_function {
	struct expt_object *object;
	uint64_t start, size;
	size_t first, count; /* its names in the object's symbol table */
	bool is_plt, is_inlined;
	const char *owner; /* of a part of dynamic code, or gap in it: the function around
			      it */
	/* Set at the first request; for dynamic functions, symbol is set immediately. */
	const char *symbol, *long_name, *short_name;
	bool is_kept;			      /* they are not the symbol table's */
	const char *alias, *source;	      /* of a dynamic function, or NULL */
	const struct dynamic_origin *origin;  /* of a dynamic function */
	const struct expt_code *code;	      /* once it was read */
	const struct java_bytecode *bytecode; /* of a Java method, or NULL */
	const struct expt_function
		*whole; /* see expt_function_whole(); NULL: not known */
	const char *const *aliases;
	bool has_aliases, has_source; /* they were looked for */
	/* Lines of a dynamic function, and the offset of its start in them. */
	const struct dynamic_line *lines;
	size_t line_count;
	uint64_t line_base;
	struct expt_position *line_positions; /* once they were asked for */
	/* Rows of its lines, once they were asked for. */
	struct expt_code_row *rows;
	size_t row_count;
	bool has_rows;
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
	const char *path, *name;
	struct expt_identity identity;
	bool is_file;	     /* neither <Unknown> nor dynamic code */
	uint64_t mapped_end; /* end of the highest known mapping, as an image offset */

	bool is_loaded; /* or loading failed */
	const char *file, *problem;
	struct elf *elf;
	struct symbol_table symbols;
	struct function_rows rows;

	struct elf *code; /* the file with its code while it is open, see code.c */
	const char *code_problem; /* why there is none, or NULL */
	struct outlined_index outlined;
	struct object_debug *debug; /* NULL until positions are asked for */
	bool has_other_debug;	    /* see debug.h: they use elf */
};

/* Files that are open at a time for their code. */
#define CODE_FILES_MAX 8

struct object_table {
	struct arena strings;
	struct demangler demangler;
	struct {
		struct expt_object **items; /* the first one is unknown_object */
		size_t count, capacity;
	} objects;
	struct idmap by_identity;
	struct expt_object *dynamic; /* DYNAMIC_FUNCTIONS, or NULL */
	struct {
		struct expt_object **items; /* files of Java classes */
		size_t count, capacity;
	} java;
	struct idmap java_paths;
	struct folder archives; /* the founder's archives directory, if any */
	const char *archives_path;
	bool has_listed_perf_maps, has_perf_maps; /* of any process; see places/jit.c */
	struct expt_fetcher fetcher; /* of files that are neither there nor here */
	struct expt_search search;   /* for files that are not at their path */
	struct expt_object *code_files[CODE_FILES_MAX];
	size_t next_code_file; /* the one to close for the next */
	const struct expt *founder;
	struct io_file dyntext; /* the last one that was read ... */
	const char *dyntext_of; /* ... and its experiment, or NULL */
	int64_t started_at;	/* by the founder's log, in seconds; 0: unknown */
};

/* These two have no file to examine, so all experiments share them. */
extern const struct expt_object unknown_object;
extern const struct expt_function unknown_function;

/* Returns the table of the experiment's founder, made at the first call; NULL if out of
 * memory. */
struct object_table *object_table_get(struct expt *expt);

/* Returns the object of a segment; with make, a new one is added if needed. */
struct expt_object *object_of_segment(struct object_table *table,
				      const struct expt_segment *segment, bool make);
struct expt_object *object_dynamic(struct object_table *table);
/* Returns the object of Java code with this path, new if needed. It has no file, and is
 * not among the load objects. */
struct expt_object *object_java(struct object_table *table, const char *path);

#endif
