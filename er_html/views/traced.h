/* SPDX-License-Identifier: Apache-2.0 */
/* Locks and files that events are about, by name, and the peak of the heap. */
#ifndef ER_HTML_VIEWS_TRACED_H
#define ER_HTML_VIEWS_TRACED_H

#include <stdio.h>

#include "er_html/views/shown.h"

/* Write them as fields of a JSON object. Returns 0, or a negative errno. */
int traced_write(const struct shown *shown, FILE *out, struct expt_error *err);

#endif
