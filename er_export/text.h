/* SPDX-License-Identifier: Apache-2.0 */
/* er_export --text: experiments as text, a line per record. */
#ifndef ER_EXPORT_TEXT_H
#define ER_EXPORT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "libexpt/expt.h"

/* All operands, experiments and groups, to the file output, or to the standard output when it is
 * NULL; a file appears when it is whole. The status for exit: what was damaged counts as not done. */
int export_text(char *operands[], int count, const char *output, bool force);

/* text_print.c: one experiment without its descendants, with its header; the status for exit. */
int text_print(FILE *out, struct expt *expt);
/* The line that separates: # experiment "test.1.er" */
void text_header(FILE *out, const char *kind, const char *path);

#endif
