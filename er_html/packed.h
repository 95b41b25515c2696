/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that are compressed and written as base64. */
#ifndef ER_HTML_PACKED_H
#define ER_HTML_PACKED_H

#include <stddef.h>
#include <stdio.h>

struct packed;

struct packed *packed_open(FILE *out); /* NULL: out of memory */
void packed_write(struct packed *packed, const void *bytes, size_t length);
void packed_take(void *packed, const void *bytes, size_t length);
/* Errors are those of the file, which stays open. */
void packed_close(struct packed *packed);

#endif
