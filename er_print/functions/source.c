/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a source file with their metrics. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/functions/listing.h"
#include "er_print/functions/private.h"
#include "er_print/functions/source_line.h"
#include "libexpt/base/array.h"

/* The first line of a function, before which its name is shown. */
struct heading {
	const struct expt_function *function;
	uint32_t line;
	size_t code; /* its place in the subject's functions, which are by offset */
};

struct source_view {
	struct session *session;
	struct subject subject;
	struct listing listing;
	struct {
		struct heading *items;
		size_t count, capacity;
	} headings;		 /* by line */
	struct row_numbers rows; /* of the file */
	bool *has_code;		 /* lines of the text, from 1 */
	size_t lines;		 /* of the text */
	size_t next_heading, next_row;
};

/* ---- finding ---- */

static uint32_t line_of(const struct source_view *view, uint32_t row)
{
	return expt_row(view->listing.list.rows, row)->line;
}

static int compare_lines(const struct expt_row *a, const struct expt_row *b)
{
	return a->line < b->line ? -1 : a->line > b->line;
}

static bool is_of_subject(const void *context, const struct expt_row *row)
{
	const struct source_view *view = context;

	return subject_has_path(&view->subject, row->path);
}

static void mark_line(struct source_view *view, uint32_t line)
{
	if (line <= view->lines)
		view->has_code[line] = true;
}

/* Returns the line of a function, if it is defined in the source; 0: it is not. */
static uint32_t heading_line(const struct source_view *view,
			     const struct expt_function *function)
{
	const struct expt_code_row *rows;
	uint32_t line = expt_function_line(function);

	if (!subject_has_path(&view->subject, expt_function_source(function)))
		return 0;
	if (line == 0 && expt_function_positions(function, &rows) > 0)
		line = rows[0].line;
	return line;
}

static bool add_code(struct source_view *view, size_t i)
{
	const struct expt_function *function = view->subject.functions.items[i];
	const struct expt_code_row *rows;
	size_t count = expt_function_positions(function, &rows);
	uint32_t line = heading_line(view, function);
	struct heading *new;

	for (size_t i = 0; i < count; i++)
		if (subject_has_path(&view->subject, rows[i].path))
			mark_line(view, rows[i].line);
	if (line == 0)
		return true;
	mark_line(view, line);
	new = array_add(&view->headings);
	if (new)
		*new = (struct heading){ function, line, i };
	return new;
}

/* Functions of one line, such as instances of a template, are in the order of code. */
static int compare_headings(const void *left, const void *right)
{
	const struct heading *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->code < b->code ? -1 : a->code > b->code;
}

static bool find_code(struct source_view *view)
{
	const struct subject *subject = &view->subject;

	view->lines = subject->source ? expt_source_line_count(subject->source) : 0;
	view->has_code = calloc(view->lines + 1, sizeof(*view->has_code));
	if (!view->has_code)
		return false;
	for (size_t i = 0; i < subject->functions.count; i++)
		if (!add_code(view, i))
			return false;
	if (view->headings.count > 1)
		qsort(view->headings.items, view->headings.count,
		      sizeof(*view->headings.items), compare_headings);
	return true;
}

/* ---- lines ---- */

static bool add_headings(struct source_view *view, size_t line)
{
	while (view->next_heading < view->headings.count &&
	       view->headings.items[view->next_heading].line <= line)
		if (!source_add_heading(
			    &view->listing,
			    view->headings.items[view->next_heading++].function))
			return false;
	return true;
}

/* Returns the row of a line if it is the next one, or how to show it without. */
static uint32_t take_row(struct source_view *view, size_t line)
{
	uint32_t row = view->has_code[line] ? LISTING_ZERO : LISTING_BLANK;

	if (view->next_row < view->rows.count &&
	    line_of(view, view->rows.items[view->next_row]) == line)
		row = view->rows.items[view->next_row++];
	return row;
}

/* Lines after the end of the text are those with metrics. */
static bool add_lines(struct source_view *view)
{
	const struct expt_source *source = view->subject.source;

	for (size_t line = 1; line <= view->lines; line++)
		if (!add_headings(view, line) ||
		    !source_add_line(&view->listing, take_row(view, line), source, line))
			return false;
	while (view->next_row < view->rows.count) {
		uint32_t row = view->rows.items[view->next_row++];

		if (!add_headings(view, line_of(view, row)) ||
		    !source_add_line(&view->listing, row, NULL, line_of(view, row)))
			return false;
	}
	return true;
}

static int show(struct source_view *view)
{
	struct session *session = view->session;

	if (!view->subject.path)
		return session_error(
			session, "the source of '%s' is not known: compile with -g",
			expt_function_name(view->subject.function, session->name_form));
	if (listing_begin(&view->listing, session, EXPT_BY_SOURCE_LINE) < 0 ||
	    subject_find_functions(&view->subject, session) < 0)
		return -1;
	if (!listing_find_rows(&view->listing, &view->rows, is_of_subject, view,
			       compare_lines) ||
	    !find_code(view) || !add_lines(view))
		return session_out_of_memory(session);
	subject_print_head(&view->subject, session);
	listing_print(&view->listing);
	return 0;
}

int run_source(struct session *session, int count, char **words)
{
	struct source_view view = { .session = session };
	int rc = subject_find(&view.subject, session, count, words);

	if (rc == 0)
		rc = show(&view);
	listing_release(&view.listing);
	subject_release(&view.subject);
	array_release(&view.headings);
	array_release(&view.rows);
	free(view.has_code);
	return rc;
}
