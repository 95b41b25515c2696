/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as base64, in pieces. */
#ifndef ER_HTML_BASE64_H
#define ER_HTML_BASE64_H

#include <stdio.h>

#define BASE64_PIECE 65536 /* characters of each piece but the last */

/* Returns a stream that writes what it is given to another one, which closing it leaves
 * open, with a text between two pieces. NULL: see errno. */
FILE *base64_stream(FILE *to, const char *between);

#endif
