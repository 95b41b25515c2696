/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of sources in listings. */
#ifndef ER_PRINT_FUNCTIONS_SOURCE_LINE_H
#define ER_PRINT_FUNCTIONS_SOURCE_LINE_H

#include "er_print/functions/listing.h"
#include "er_print/functions/subject.h"

/* Columns of the number of a line, with the point and the blank after it. */
#define SOURCE_INDENT 9

/* Add "<Function: f>", or a line of the source: "  12. text"; source may be NULL. false:
 * out of memory. */
bool source_add_heading(struct listing *listing, const struct expt_function *function);
bool source_add_line(struct listing *listing, uint32_t row,
		     const struct expt_source *source, size_t line);

#endif
