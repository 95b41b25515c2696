/* SPDX-License-Identifier: Apache-2.0 */
/* Source positions of code, and the text of source files. */
/* clang-format off */
#ifndef LIBEXPT_API_SOURCE_H
#define LIBEXPT_API_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/archive.h"
#include "libexpt/api/objects.h"

EXPT_DECLARATIONS_BEGIN

/* ---- positions --------------------------------------------------------------------- */

struct expt_position {
	/* NULL: not known. The same pointer for the same file of an object. */
	const char *path;
	uint32_t line, column;		/* 0: not known */
	/* The function that the line is in. Each level of inlining has a function of its
	 * own, the same pointer wherever it is inlined into the object; the last one is
	 * the function of the place. */
	const struct expt_function *function;
};
/* The source positions of a place, from the innermost inlined function out: each but the
 * first is where the function of the one before it is called. 0: no line is known.
 * Callers in call stacks have the address of their call. */
size_t expt_place_positions(const struct expt_place *place,
			    const struct expt_position **positions);
/* The innermost of these at an offset in a function; NULL: its line is not known. */
const struct expt_position *expt_function_position(const struct expt_function *function,
						   uint64_t offset);
/* Whether it is a function of positions that was inlined into others; it has no address
 * and no size. */
bool expt_function_is_inlined(const struct expt_function *function);

/* Code from an offset in the image of the object up to that of the next row; in dynamic
 * code, from an address. */
struct expt_code_row {
	uint64_t offset;
	const char *path;		/* NULL: no line is known from here on */
	uint32_t line, column;
	bool is_statement;		/* a debugger would stop here */
};
/* All rows of the line table in a function, in the order of its code; 0: there are
 * none. */
size_t expt_function_positions(const struct expt_function *function,
			       const struct expt_code_row **rows);

/* ---- text -------------------------------------------------------------------------- */

struct expt_source;			/* the lines of a source file */

struct expt_source_info {
	const char *file;		/* where the text was found */
	bool is_archived;
	bool is_verified;		/* it has the checksum in the debug data */
	bool is_changed;		/* it has another one */
	bool is_newer;			/* than the object; unless it is verified */
};

/* Find the text of a source file of an object, by the path in its positions: the archived
 * copy, then the places of search, which may be NULL, then the path. One with the right
 * checksum takes precedence over others. -ENOENT: there is none. */
int expt_source_open(struct expt_source **out, struct expt_object *object,
		     const char *path, const struct expt_search *search,
		     struct expt_error *err);
const struct expt_source_info *expt_source_info(const struct expt_source *source);
size_t expt_source_line_count(const struct expt_source *source);
/* A line, counted from 1, without its end, and with no NUL after it. */
const char *expt_source_line(const struct expt_source *source, size_t line,
			     size_t *length);
void expt_source_close(struct expt_source *source);

EXPT_DECLARATIONS_END

#endif
