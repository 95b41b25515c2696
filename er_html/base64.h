/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as lines of base64. */
#ifndef ER_HTML_BASE64_H
#define ER_HTML_BASE64_H

#include <stdio.h>

/* Returns a stream that writes what it is given to another one, which closing it leaves
 * open. NULL: see errno. */
FILE *base64_stream(FILE *to);

#endif
