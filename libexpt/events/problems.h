/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of the experiments of a view. */
#ifndef LIBEXPT_EVENTS_PROBLEMS_H
#define LIBEXPT_EVENTS_PROBLEMS_H

#include <stdbool.h>
#include <stddef.h>

struct expt_error;
struct expt_view;

/* Add a problem. Nothing is added without memory. */
void view_add_problem(struct expt_view *view, bool is_error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Describe why a loop ended early: out of memory, unless the view was stopped. Returns
 * -ENOMEM or -EINTR. */
int view_refuse(const struct expt_view *view, struct expt_error *err);
/* Add the failure to read data of a member. */
void view_add_failure(struct expt_view *view, size_t member,
		      const struct expt_error *err);

#endif
