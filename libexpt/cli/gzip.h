/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is compressed while it is written. */
#ifndef LIBEXPT_CLI_GZIP_H
#define LIBEXPT_CLI_GZIP_H

#include <stddef.h>
#include <stdio.h>

struct gzip;

struct gzip *gzip_open(FILE *out); /* NULL: out of memory */
/* Errors are those of the file. */
void gzip_write(struct gzip *gzip, const void *bytes, size_t length);
void gzip_close(struct gzip *gzip); /* leaves the file open */

#endif
