/* SPDX-License-Identifier: Apache-2.0 */
/* Output that appears at its name when it is complete, or goes to the standard output. */
#ifndef LIBEXPT_CLI_OUTPUT_H
#define LIBEXPT_CLI_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* Writes to the file. Returns the status for exit, or OUTPUT_REFUSED: the file shall not
 * appear, for a reason that was reported. */
#define OUTPUT_REFUSED (-1)
typedef int output_fill(void *context, FILE *file);

/* Fill a file, or with no name the standard output. Returns the status for exit. */
int output_write(const char *name, bool replace, output_fill *fill, void *context);

#endif
