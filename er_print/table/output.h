/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output of commands, and its form: text; one html document per file, in which
 * text that is not a table is preformatted; or tables whose fields a character separates.
 * Names are hostile: in every form control characters, and in html markup, are escaped.
 */
#ifndef ER_PRINT_TABLE_OUTPUT_H
#define ER_PRINT_TABLE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "libexpt/base/strbuf.h"

enum output_form { OUTPUT_TEXT, OUTPUT_HTML, OUTPUT_DELIMITED };

struct output {
	enum output_form form;
	char delimiter;
	FILE *file;		   /* not owned */
	FILE *text;		   /* escapes what is not a table, and writes to file */
	struct document *document; /* in html */
};

/* Open the streams to the file in the given form. false: out of memory. */
bool output_open(struct output *output, FILE *file, enum output_form form,
		 char delimiter);
/* End the document, close the streams. false: see errno. */
bool output_close(struct output *output);

/* Print a line above a table: a heading in html, nothing between delimited tables. */
void output_title(struct output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Print a heading in html, nothing in the other forms. */
void output_heading(struct output *output, const char *title);
/* End a part of a table, or text: a blank line in text. */
void output_gap(struct output *output);
/* Returns the stream for tags and escaped text, within the body of the document. */
FILE *output_markup(struct output *output);
/* Add text with escapes for html. */
void output_escape_html(struct strbuf *to, const char *text, size_t length);

#endif
