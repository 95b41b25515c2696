/* SPDX-License-Identifier: Apache-2.0 */
/* Data objects with the subjects that they are, and the layout of structures. */
#ifndef ER_HTML_VIEWS_DATASPACE_H
#define ER_HTML_VIEWS_DATASPACE_H

#include <stdio.h>

#include "er_html/views/shown.h"

/* Write them as fields of a JSON object, if there are any. Returns 0, or a negative
 * errno. */
int dataspace_write(const struct shown *shown, FILE *out, struct expt_error *err);

#endif
