/* SPDX-License-Identifier: Apache-2.0 */
/* Prints one experiment as text. */
#ifndef ER_EXPORT_TEXT_PRINT_H
#define ER_EXPORT_TEXT_PRINT_H

#include "er_export/text.h"

/* Print one experiment without its descendants, with its header. Returns the status for
 * exit. */
int text_print(const struct text_options *options, FILE *out, struct expt *expt);
/* Print the line that separates texts: # experiment "test.1.er" */
void text_header(const struct text_options *options, FILE *out, const char *kind,
		 const char *path);

#endif
