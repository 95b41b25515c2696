/* SPDX-License-Identifier: Apache-2.0 */
/* Load objects, their functions, what is at an address, and Java classes. */
/* clang-format off */
#ifndef LIBEXPT_API_OBJECTS_H
#define LIBEXPT_API_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/open.h"

EXPT_DECLARATIONS_BEGIN

struct expt_object;			/* a program, a library, or dynamic code */
struct expt_function;
struct expt_classes;			/* an iterator over Java classes */

/* ---- load objects and functions ---------------------------------------------------- */

/* A mapping of the address space, as in map.xml. */
/* Which file it was. */
struct expt_identity {
	const char *build_id;		/* in hex, or "" if it was not recorded */
	bool has_file;			/* size and mtime_ns are known, too */
	uint64_t size, mtime_ns;
};

struct expt_segment {
	const char *path;		/* as mapped */
	uint64_t address, size, file_offset;
	uint32_t modes;			/* enum expt_map_mode */
	uint64_t loaded_ns, unloaded_ns;	/* UINT64_MAX: until the end */
	struct expt_identity identity;	/* of the file */
	struct expt_object *object;	/* NULL: no load object (modes) */
};

/* Reads map.xml at the first call. */
size_t expt_segment_count(struct expt *expt);
const struct expt_segment *expt_segment(struct expt *expt, size_t i);

/* All load objects met so far by this experiment and the descendants opened through it,
 * in order of loading. Index 0 is <Unknown>; dynamic code is one object named
 * DYNAMIC_FUNCTIONS. */
size_t expt_object_count(struct expt *expt);
struct expt_object *expt_object(struct expt *expt, size_t i);
const char *expt_object_path(const struct expt_object *object);	/* as mapped */
/* The last component, "<libc.so.6>". */
const char *expt_object_name(const struct expt_object *object);
/* Check whether a name is one that people call it by: its path, "libc.so.6" or
 * "<libc.so.6>". */
bool expt_object_has_name(const struct expt_object *object, const char *name);
/* As recorded, in hex, or "". */
const char *expt_object_build_id(const struct expt_object *object);
size_t expt_object_index(const struct expt_object *object);
/* The file its symbols come from, or NULL: the archived copy, the archived description,
 * the path as mapped, in this order, each only if its identity is the recorded one.
 * problem: why a better one was not taken, or NULL. Opens the file at the first call. */
const char *expt_object_file(struct expt_object *object, const char **problem);

enum expt_name_form { EXPT_NAME_LONG, EXPT_NAME_SHORT, EXPT_NAME_MANGLED };

const char *expt_function_name(const struct expt_function *function,
			       enum expt_name_form form);
/* A row of time without samples, which names no function of the program. */
bool expt_function_is_not_sampled(const struct expt_function *function);
/* The function that a compiler moved this part out of, or copied and specialised: "f" for
 * "f.cold", "f.part.0" and "f.constprop.0". Other functions are their own whole. The same
 * pointer for all parts, also if the object has no code of the name "f" itself. */
const struct expt_function *expt_function_whole(const struct expt_function *function);
struct expt_object *expt_function_object(const struct expt_function *function);
/* In the image of the object. */
uint64_t expt_function_offset(const struct expt_function *function);
uint64_t expt_function_size(const struct expt_function *function);
/* Other names of the same address, NULL-terminated; NULL if there are none. */
const char *const *expt_function_aliases(const struct expt_function *function);
/* The path of the source that defines it, by its debug data, or, for code made at run
 * time, as the program gave it; or NULL. */
const char *expt_function_source(const struct expt_function *function);
/* The line of its definition there; 0: not known. */
uint32_t expt_function_line(const struct expt_function *function);
/* The function of a load object at an offset of its image, or the gap between two, which
 * has a size, too; NULL: none, as for dynamic code. */
const struct expt_function *expt_object_function(struct expt_object *object,
						 uint64_t offset);

/* The function at an address at a time. It never fails: <Unknown> is a function as well.
 * The pointer to the function is the identity of a row: the same for all addresses in it,
 * in all descendants. */
struct expt_place {
	const struct expt_function *function;
	uint64_t offset;		/* of the address in its function */
	bool is_plt;			/* a PLT stub: dropped while it is the leaf */
};
void expt_place(struct expt *expt, uint64_t address, uint64_t time_ns,
		struct expt_place *place);
/* The method with this id, of a Java frame, at a time. false: it is not known, and the
 * function is <no Java callstack recorded>. The place's offset is the bci. */
bool expt_java_place(struct expt *expt, uint64_t method, int64_t bci, uint64_t time_ns,
		     struct expt_place *place);

/* Functions that represent what a thread did in the runtime of its language. */
enum expt_special_function {
	EXPT_JVM_SYSTEM,		/* a thread of the Java machine */
	EXPT_NO_JAVA,
	EXPT_OMP_FUNCTION,		/* add the state: enum expt_omp_state */
};
/* NULL: there is none for the state. */
const struct expt_function *expt_special_function(size_t which);

/* Two times with the same epoch give the same places; most experiments have one epoch. */
uint32_t expt_epoch(struct expt *expt, uint64_t time_ns);

/* ---- Java classes ------------------------------------------------------------------ */

/* Classes and methods that a Java machine loaded, in file order. */
enum expt_class_kind { EXPT_CLASS, EXPT_CLASS_METHOD, EXPT_CLASS_LOCATION,
		       EXPT_CLASS_LINES };	/* of the method before them */

struct expt_class {
	enum expt_class_kind kind;
	uint64_t class_id, method_id;
	uint64_t time_ns;		/* of a class, since the start */
	/* "Lpkg/Name;" and source file or location; method and signature. Not
	 * NUL-terminated, valid until the next call */
	const char *name, *detail;
	size_t name_length, detail_length;
	/* The lines of a method, each up to the next one */
	struct expt_class_line {
		uint32_t bci, line;
	} const *lines;
	size_t line_count;
};
/* 1 and *next filled, 0 at the end or where there are none, negative on error. */
int expt_classes_open(struct expt_classes **out, struct expt *expt,
		      struct expt_error *err);
int expt_classes_next(struct expt_classes *classes, struct expt_class *next,
		      struct expt_error *err);
void expt_classes_close(struct expt_classes *classes);

/* Release the symbols of the load objects of a founder and its descendants, for the sake
 * of memory: they are read again when another address is looked up. Functions stay as
 * they are. */
void expt_release_symbols(struct expt *expt);

/* ---- files from elsewhere ---------------------------------------------------------- */

enum expt_fetched { EXPT_FETCH_DEBUG_FILE, EXPT_FETCH_SOURCE };

/* Gets files that belong to a load object, such as from a debuginfod server, if they are
 * neither in the archives nor on this machine. */
struct expt_fetcher {
	/* Returns a descriptor, which the library closes, or a negative errno. build_id
	 * is in hex; source is the path that debug data name, or NULL. */
	int (*fetch)(void *context, enum expt_fetched what, const char *build_id,
		     const char *source);
	void *context;
};
/* Set it for a founder and its descendants, before their objects are used; NULL: none. A
 * debug file that it gets counts only if it has the build-id. */
int expt_set_fetcher(struct expt *expt, const struct expt_fetcher *fetcher,
		     struct expt_error *err);
/* Set where load objects may be that are not at their path, for a founder and its
 * descendants, before their objects are used. The texts are used until it is set again or
 * the founder is closed. */
struct expt_search;
int expt_set_search(struct expt *expt, const struct expt_search *search,
		    struct expt_error *err);

EXPT_DECLARATIONS_END

#endif
