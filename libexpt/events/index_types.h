/* SPDX-License-Identifier: Apache-2.0 */
/* Types of index objects: their names, and expressions that use them. */
#ifndef LIBEXPT_EVENTS_INDEX_TYPES_H
#define LIBEXPT_EVENTS_INDEX_TYPES_H

#include <stdbool.h>
#include <stddef.h>

struct evaluation;
struct expression;
struct expt_error;
struct expt_view;

/* Add those that every view has. false: out of memory. */
bool index_types_add_first(struct expt_view *view);
/* Returns the evaluation of a type; NULL: it failed, as described. */
struct evaluation *index_type_evaluation(struct expt_view *view, size_t type,
					 struct expt_error *err);
/* Parse an expression in which the types may occur by their names. */
int view_parse(struct expression **out, struct expt_view *view, const char *text,
	       struct expt_error *err);
/* Forget what is known of the events. */
void index_types_reset(struct expt_view *view);
void index_types_release(struct expt_view *view);

#endif
