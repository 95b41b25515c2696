/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of experiments that are compared, and which functions differ by more than
 * chance. */
#ifndef ER_HTML_VIEWS_DIFFERENCE_H
#define ER_HTML_VIEWS_DIFFERENCE_H

#include <stdint.h>
#include <stdio.h>

#include "er_html/views/shown.h"

struct groups {
	const char *const *names;
	size_t count;		  /* below 2: nothing is compared */
	const size_t *of_founder; /* by the number of the experiment */
};

/* Write them as fields of a JSON object. Returns 0, or a negative errno. */
int difference_write(const struct shown *shown, const struct groups *groups, FILE *out,
		     struct expt_error *err);

#endif
