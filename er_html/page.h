/* SPDX-License-Identifier: Apache-2.0 */
/* The page, put together from page/ when it was built. */
#ifndef ER_HTML_PAGE_H
#define ER_HTML_PAGE_H

#include <stdio.h>

/* The data are in elements: a browser takes much longer for a single large one. */
#define PAGE_DATA    "<script type=\"application/octet-stream\" class=\"data\">"
#define PAGE_BETWEEN "</script>\n" PAGE_DATA

void page_begin(FILE *out); /* up to the data, in their first element */
void page_end(FILE *out);

#endif
