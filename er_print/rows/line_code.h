/* SPDX-License-Identifier: Apache-2.0 */
/* The code of a source line in a function. */
#ifndef ER_PRINT_ROWS_LINE_CODE_H
#define ER_PRINT_ROWS_LINE_CODE_H

#include "libexpt/expt.h"

struct line_code {
	uint64_t offset; /* of its first byte in the function */
	uint64_t size;	 /* of all its pieces */
};

/* Find the code of a row by line; nothing if it has no line. */
struct line_code line_code_find(const struct expt_row *row);

#endif
