/* SPDX-License-Identifier: Apache-2.0 */
/* The code of the functions that matter most: lines of source around them, and their
 * instructions. */
#ifndef ER_HTML_VIEWS_CODE_H
#define ER_HTML_VIEWS_CODE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "er_html/views/shown.h"
#include "er_html/views/source_files.h"

struct code {
	struct source_files files;
	bool *is_shown; /* functions whose instructions are in the page */
	char *text;	/* the functions, as a JSON array without its brackets */
	size_t length;
};

/* Choose functions until their text has so many bytes. false: out of memory. */
bool code_make(struct code *code, const struct shown *shown,
	       const struct expt_search *search, uint64_t limit);
/* Write what was chosen as fields of a JSON object. */
void code_write(const struct code *code, FILE *out);
void code_release(struct code *code);

#endif
