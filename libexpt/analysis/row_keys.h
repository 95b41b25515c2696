/* SPDX-License-Identifier: Apache-2.0 */
/* Rows, and how they are found by what they are the sums of: a function, an address in
 * one, a load object, a line. Results are numbers of rows, or IDMAP_NONE: out of memory.
 */
#ifndef LIBEXPT_ANALYSIS_ROW_KEYS_H
#define LIBEXPT_ANALYSIS_ROW_KEYS_H

#include "libexpt/analysis/frames.h"

struct row {
	struct expt_row shown;
	struct figures exclusive, inclusive;
	uint32_t visit; /* number of the last stack that counted it */
	/* Fields of data objects: */
	struct expt_datum datum;
	const struct type *type; /* or NULL */
	struct types *types;
	uint64_t variable_key; /* of the variable that it is, or is in; or 0 */
	bool is_folded; /* all functions of an object; see expt_view_set_object() */
	bool is_api;	/* of an object of which only the entries are shown */
};

struct expt_rows {
	struct expt_view *view;
	enum expt_by by;
	struct {
		struct row *items;
		size_t count, capacity;
	} rows;
	/* Those by function, for rows by address and by line; or NULL */
	struct expt_rows *functions;
	struct idmap by_key;	  /* of what a row is the sum */
	struct idmap by_identity; /* the same with several founders */
	struct idmap claims; /* when comparing: the function of an object that a row is */
	struct idmap places; /* rows of addresses, for the current member and epoch */
	uint32_t places_member, places_epoch;
	struct frame_list frames; /* of the current stack, if it is not native */
	struct arena values;
	size_t texts; /* bytes of the texts of data objects */
	uint32_t visit;
};

/* Add an empty row; NULL: out of memory. */
struct row *rows_add(struct expt_rows *rows);
/* Add the rows that are always there. false: out of memory. */
bool rows_add_first(struct expt_rows *rows);

/* Returns the row of a function. Rows by function only. */
uint32_t rows_of_function(struct expt_rows *rows, const struct expt_function *function);
/* Returns the row of a place: of its outermost function if inlined ones have rows. */
uint32_t rows_of_place(struct expt_rows *rows, const struct expt_place *place);
/* Find the functions inlined at a place that have rows of their own, innermost first.
 * Returns their number. */
size_t rows_inlined(const struct expt_rows *rows, const struct expt_place *place,
		    const struct expt_position **positions);
uint32_t rows_of_inlined(struct expt_rows *rows, const struct expt_position *position);

#endif
