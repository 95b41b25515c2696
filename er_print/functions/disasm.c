/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of functions with their metrics, between the lines of their source. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_print/functions/private.h"
#include "er_print/functions/source_line.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"

#define ADDRESS_WIDTH 9

struct code_view {
	struct session *session;
	struct subject subject;
	struct listing listing;
	struct row_numbers rows;	      /* of all functions, one after the other */
	const struct expt_function *function; /* the current one */
	size_t next_row, last_line;	      /* that were shown */
	int label_width;
	bool has_code; /* of one function, at least */
};

/* ---- rows ---- */

static const struct expt_row *row_of(const struct code_view *view, uint32_t row)
{
	return expt_row(view->listing.list.rows, row);
}

static int compare_functions(const struct expt_function *left,
			     const struct expt_function *right)
{
	uintptr_t a = (uintptr_t)left, b = (uintptr_t)right;

	return a < b ? -1 : a > b;
}

static int compare_rows(const struct expt_row *a, const struct expt_row *b)
{
	int order = compare_functions(a->function, b->function);

	return order != 0 ? order : a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Go to the rows of the current function. */
static void begin_rows(struct code_view *view)
{
	size_t low = 0, high = view->rows.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct expt_row *row = row_of(view, view->rows.items[middle]);

		if (compare_functions(row->function, view->function) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	view->next_row = low;
}

/* Returns the row of an instruction, or that it has none. */
static uint32_t take_row(struct code_view *view, const struct expt_instruction *code)
{
	uint32_t row = LISTING_ZERO;

	for (; view->next_row < view->rows.count; view->next_row++) {
		uint32_t next = view->rows.items[view->next_row];

		if (row_of(view, next)->function != view->function ||
		    row_of(view, next)->offset >= code->offset + code->size)
			break;
		if (row_of(view, next)->offset >= code->offset)
			row = next;
	}
	return row;
}

/* ---- lines ---- */

/* Add the source up to a line, unless that was shown. */
static bool add_source(struct code_view *view, size_t line)
{
	const struct expt_source *source = view->subject.source;
	size_t end = source ? expt_source_line_count(source) : 0;

	if (end > line)
		end = line;
	while (view->last_line < end)
		if (!source_add_line(&view->listing, LISTING_BLANK, source,
				     ++view->last_line))
			return false;
	return true;
}

/* Make the label of a position: its line, after the file if that is another one. */
static void format_label(char *out, size_t size, const struct code_view *view,
			 const struct expt_position *position)
{
	if (!position)
		snprintf(out, size, "?");
	else if (subject_has_path(&view->subject, position->path))
		snprintf(out, size, "%" PRIu32, position->line);
	else
		snprintf(out, size, "%s:%" PRIu32, path_base(position->path),
			 position->line);
}

/* Labels of other files do not widen those of the source. */
static void measure_labels(struct code_view *view)
{
	const struct expt_code_row *rows;
	size_t count = expt_function_positions(view->function, &rows);
	uint32_t largest = 0;
	char text[16];

	for (size_t i = 0; i < count; i++)
		if (subject_has_path(&view->subject, rows[i].path) &&
		    rows[i].line > largest)
			largest = rows[i].line;
	view->label_width = snprintf(text, sizeof(text), "%" PRIu32, largest);
}

/* Add the address that an operand relative to the instruction means. */
static void add_memory(struct strbuf *text, const struct code_view *view,
		       const struct expt_code_address *memory)
{
	char buffer[4096];

	if (!memory->is_known)
		return;
	strbuf_printf(text, "        # %" PRIx64, memory->address);
	if (!memory->function)
		return;
	strbuf_printf(text, " <%s",
		      session_function_name(view->session, memory->function, buffer,
					    sizeof(buffer)));
	if (memory->offset > 0)
		strbuf_printf(text, "+0x%" PRIx64, memory->offset);
	strbuf_add_char(text, '>');
}

static bool add_instruction(struct code_view *view, const struct expt_instruction *code)
{
	const struct expt_position *position =
		expt_function_position(view->function, code->offset);
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	char label[256];

	if (position && subject_has_path(&view->subject, position->path) &&
	    !add_source(view, position->line))
		return false;
	format_label(label, sizeof(label), view, position);
	strbuf_printf(&text, "%*s[%*s]", SOURCE_INDENT, "", view->label_width, label);
	strbuf_printf(&text, code->is_bytecode ? "%*" PRIu64 ":  " : "%*" PRIx64 ":  ",
		      ADDRESS_WIDTH, code->address);
	if (*code->operands)
		strbuf_printf(&text, "%-6s %s", code->mnemonic, code->operands);
	else
		strbuf_add_text(&text, code->mnemonic);
	add_memory(&text, view, &code->memory);
	return !text.failed &&
	       listing_add(&view->listing, take_row(view, code), strbuf_text(&text));
}

/* Show the source down to the first line of a function before its name. */
static bool add_beginning(struct code_view *view)
{
	const struct expt_position *position = expt_function_position(view->function, 0);

	measure_labels(view);
	if (position && subject_has_path(&view->subject, position->path) &&
	    !add_source(view, position->line))
		return false;
	begin_rows(view);
	return source_add_heading(&view->listing, view->function);
}

static int add_instructions(struct code_view *view,
			    struct expt_instructions *instructions)
{
	struct expt_instruction code;
	bool is_good = add_beginning(view);

	while (is_good && !session_is_stopped(view->session) &&
	       expt_instructions_next(instructions, &code))
		is_good = add_instruction(view, &code);
	return is_good ? 0 : session_out_of_memory(view->session);
}

/* ---- all of it ---- */

static int add_function(struct code_view *view, const struct expt_function *function)
{
	struct expt_instructions *instructions;
	struct expt_error err;
	int rc;

	view->function = function;
	if (expt_instructions_open(&instructions, function, view->session->name_form,
				   &err) < 0)
		return session_failed(view->session, &err);
	view->has_code = true;
	rc = add_instructions(view, instructions);
	expt_instructions_close(instructions);
	return rc;
}

/* Without a function, those that the source defines are shown. */
static int add_functions(struct code_view *view)
{
	const struct subject *subject = &view->subject;
	int rc = 0;

	if (subject->function)
		return add_function(view, subject->function);
	if (subject_find_functions(&view->subject, view->session) < 0)
		return -1;
	for (size_t i = 0; i < subject->functions.count; i++)
		if (subject_has_path(subject,
				     expt_function_source(subject->functions.items[i])) &&
		    add_function(view, subject->functions.items[i]) < 0)
			rc = -1;
	return rc;
}

static int show(struct code_view *view)
{
	int rc = listing_begin(&view->listing, view->session, EXPT_BY_PC);

	if (rc == 0 &&
	    !listing_find_rows(&view->listing, &view->rows, NULL, NULL, compare_rows))
		rc = session_out_of_memory(view->session);
	if (rc == 0)
		rc = add_functions(view);
	if (rc == 0 && !add_source(view, SIZE_MAX))
		rc = session_out_of_memory(view->session);
	if (!view->has_code)
		return rc;
	subject_print_head(&view->subject, view->session);
	listing_print(&view->listing);
	return rc;
}

int run_disasm(struct session *session, int count, char **words)
{
	struct code_view view = { .session = session };
	int rc = subject_find(&view.subject, session, count, words);

	if (rc == 0)
		rc = show(&view);
	listing_release(&view.listing);
	subject_release(&view.subject);
	array_release(&view.rows);
	return rc;
}
