/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics to write. */
#ifndef ER_EXPORT_FORMATS_CHOOSE_H
#define ER_EXPORT_FORMATS_CHOOSE_H

#include "er_export/formats/formats.h"

/* Choose the metrics of a list of names, separated by commas or colons, or by default
 * those that the format can carry. Returns NULL, or why it is not possible: a text to be
 * freed, or the address of choose_no_memory. */
extern char choose_no_memory[];
char *choose_metrics(struct source *source, const struct format *format,
		     const char *list);

#endif
