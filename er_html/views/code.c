/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/views/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_html/views/scores.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/write.h"

/* Lines before and after those of a function. */
#define LINES_AROUND 4
/* After so many functions that do not fit, no others are tried. */
#define MISSES_MAX 16

/* A function while it is chosen. */
struct candidate {
	const struct expt_function *function;
	uint32_t row;
	uint32_t file;	      /* IDMAP_NONE: not known */
	uint32_t first, last; /* lines; 0: none */
	char *text;	      /* instructions, or NULL */
	size_t length;
};

/* ---- lines ---- */

static void widen(struct candidate *candidate, uint32_t line)
{
	if (line == 0)
		return;
	if (candidate->first == 0 || line < candidate->first)
		candidate->first = line;
	if (line > candidate->last)
		candidate->last = line;
}

/* Code of functions that were inlined is in their own lines. */
static void measure_code(struct candidate *candidate, const char *path)
{
	const struct expt_code_row *rows;
	size_t count = expt_function_positions(candidate->function, &rows);
	uint32_t start = expt_function_line(candidate->function);

	widen(candidate, start);
	for (size_t i = 0; i < count; i++)
		if (rows[i].path && strcmp(rows[i].path, path) == 0 &&
		    rows[i].line >= start)
			widen(candidate, rows[i].line);
}

/* Lines with events count also where there is no line table of the function itself. */
static void measure_frames(struct candidate *candidate, const struct shown *shown,
			   const char *path)
{
	const struct expt_tables *tables = shown->tables;

	for (size_t i = 0; i < tables->frame_count; i++) {
		const struct expt_table_frame *frame = &tables->frames[i];

		if (frame->function == candidate->row && frame->path &&
		    strcmp(frame->path, path) == 0)
			widen(candidate, frame->line);
	}
}

static bool find_lines(struct code *code, const struct shown *shown,
		       struct candidate *candidate)
{
	const char *path = expt_function_source(candidate->function);

	candidate->file = IDMAP_NONE;
	if (!path)
		return true;
	candidate->file = source_files_add(&code->files, path);
	if (candidate->file == IDMAP_NONE)
		return false;
	source_files_open(&code->files, candidate->file,
			  expt_function_object(candidate->function));
	measure_code(candidate, path);
	measure_frames(candidate, shown, path);
	if (candidate->first == 0)
		return true;
	candidate->last += LINES_AROUND;
	candidate->first -= candidate->first > LINES_AROUND ? LINES_AROUND
							    : candidate->first - 1;
	return true;
}

/* ---- instructions ---- */

/* Numbers of instructions, and their text. */
struct instructions {
	struct strbuf offsets, lines, files, text;
	bool failed;
};

static void add_number(struct strbuf *list, int64_t number)
{
	strbuf_printf(list, list->length == 0 ? "%" PRId64 : ",%" PRId64, number);
}

static void add_memory(struct strbuf *text, const struct expt_code_address *memory)
{
	if (!memory->is_known)
		return;
	strbuf_printf(text, "        # %" PRIx64, memory->address);
	if (!memory->function)
		return;
	strbuf_printf(text, " <%s", expt_function_name(memory->function, EXPT_NAME_LONG));
	if (memory->offset > 0)
		strbuf_printf(text, "+0x%" PRIx64, memory->offset);
	strbuf_add_char(text, '>');
}

/* Add the words of er_print. */
static void add_text(struct strbuf *text, const struct expt_instruction *one)
{
	if (text->length > 0)
		strbuf_add_char(text, '\n');
	strbuf_printf(text, one->is_bytecode ? "%" PRIu64 ":  " : "%" PRIx64 ":  ",
		      one->address);
	if (*one->operands)
		strbuf_printf(text, "%-6s %s", one->mnemonic, one->operands);
	else
		strbuf_add_text(text, one->mnemonic);
	add_memory(text, &one->memory);
}

static void add_instruction(struct code *code, const struct candidate *candidate,
			    struct instructions *list, const struct expt_instruction *one)
{
	const struct expt_position *position =
		expt_function_position(candidate->function, one->offset);
	uint32_t file = position ? source_files_add(&code->files, position->path) : 0;

	if (position && file == IDMAP_NONE)
		list->failed = true;
	add_number(&list->offsets, (int64_t)one->offset);
	add_number(&list->lines, position ? position->line : 0);
	add_number(&list->files, position ? (int64_t)file : -1);
	add_text(&list->text, one);
}

static bool write_instructions(struct candidate *candidate,
			       const struct instructions *list)
{
	FILE *out = open_memstream(&candidate->text, &candidate->length);

	if (!out)
		return false;
	fprintf(out, ",\"offsets\":[%s],\"lines\":[%s],\"files\":[%s],\"text\":",
		strbuf_text(&list->offsets), strbuf_text(&list->lines),
		strbuf_text(&list->files));
	write_json_text(out, strbuf_text(&list->text));
	return fclose(out) == 0;
}

/* Code that is not available, or of another processor, is left out. */
static bool find_instructions(struct code *code, struct candidate *candidate)
{
	struct instructions list = { .failed = false };
	struct expt_instructions *instructions;
	struct expt_instruction one;

	if (expt_instructions_open(&instructions, candidate->function, EXPT_NAME_LONG,
				   NULL) < 0)
		return true;
	while (expt_instructions_next(instructions, &one))
		add_instruction(code, candidate, &list, &one);
	expt_instructions_close(instructions);
	list.failed = list.failed || list.offsets.failed || list.lines.failed ||
		      list.files.failed || list.text.failed;
	if (!list.failed && list.offsets.length > 0)
		list.failed = !write_instructions(candidate, &list);
	strbuf_release(&list.offsets);
	strbuf_release(&list.lines);
	strbuf_release(&list.files);
	strbuf_release(&list.text);
	return !list.failed;
}

/* ---- choosing ---- */

static uint64_t size_of(const struct code *code, const struct candidate *candidate)
{
	uint64_t size = candidate->length;

	if (candidate->first > 0)
		size += source_files_size(&code->files, candidate->file, candidate->first,
					  candidate->last);
	return size;
}

static void mark_lines(struct code *code, const struct candidate *candidate)
{
	const struct expt_code_row *rows;
	size_t count = expt_function_positions(candidate->function, &rows);
	const char *path = expt_function_source(candidate->function);

	source_files_show(&code->files, candidate->file, candidate->first,
			  candidate->last);
	source_files_mark(&code->files, candidate->file,
			  expt_function_line(candidate->function));
	for (size_t i = 0; i < count; i++)
		if (rows[i].path && strcmp(rows[i].path, path) == 0)
			source_files_mark(&code->files, candidate->file, rows[i].line);
}

static void take(struct code *code, const struct candidate *candidate, FILE *out)
{
	if (candidate->first > 0)
		mark_lines(code, candidate);
	code->is_shown[candidate->row] = candidate->text;
	fprintf(out, "%s{\"function\":%" PRIu32 ",\"file\":%" PRId64 ",\"line\":%" PRIu32,
		ftello(out) == 0 ? "" : ",", candidate->row,
		candidate->file == IDMAP_NONE ? -1 : (int64_t)candidate->file,
		expt_function_line(candidate->function));
	if (candidate->text)
		fwrite(candidate->text, 1, candidate->length, out);
	putc('}', out);
}

/* Functions that are not found in a file, nor have code, are left out. */
static bool consider(struct code *code, const struct shown *shown, uint32_t row,
		     uint64_t *room, FILE *out, bool *fits)
{
	struct candidate candidate = {
		.function = expt_row(shown->tables->functions, row)->function,
		.row = row,
	};
	bool is_good = true;
	uint64_t size;

	*fits = true;
	if (!candidate.function || expt_row(shown->tables->functions, row)->name)
		return true;
	is_good = find_lines(code, shown, &candidate) &&
		  find_instructions(code, &candidate);
	size = size_of(code, &candidate);
	*fits = size <= *room;
	if (is_good && size > 0 && *fits) {
		take(code, &candidate, out);
		*room -= size;
	}
	free(candidate.text);
	return is_good;
}

bool code_make(struct code *code, const struct shown *shown,
	       const struct expt_search *search, uint64_t limit)
{
	cleanup_free uint32_t *order = scores_order(shown);
	FILE *out = open_memstream(&code->text, &code->length);
	int misses = 0;
	bool is_good, fits;

	code->files.search = search;
	code->is_shown = calloc(shown->tables->function_count + 1, sizeof(bool));
	is_good = order && out && code->is_shown;
	for (size_t i = 0;
	     is_good && limit > 0 && misses < MISSES_MAX && order[i] != EXPT_ROW_TOTAL;
	     i++) {
		is_good = consider(code, shown, order[i], &limit, out, &fits);
		misses += !fits;
	}
	return out && fclose(out) == 0 && is_good;
}

void code_write(const struct code *code, FILE *out)
{
	fputs("\"files\":", out);
	source_files_write(&code->files, out);
	fputs(",\"code\":[", out);
	fwrite(code->text, 1, code->length, out);
	putc(']', out);
}

void code_release(struct code *code)
{
	source_files_release(&code->files);
	free(code->is_shown);
	free(code->text);
}
