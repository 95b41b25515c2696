/* SPDX-License-Identifier: Apache-2.0 */
/* Column widths, wrapped titles and number forms, as measured on gp-display-text. */
#include "er_print/table.h"

#include <inttypes.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/strbuf.h"

#define PERCENT_WIDTH 6
#define TITLE_LINES   3

void table_release(struct table *table)
{
	array_release(&table->columns);
	array_release(&table->lines);
	arena_release(&table->arena);
}

struct table_column *table_add_column(struct table *table, const char *title,
				      enum cell_form form)
{
	struct table_column *column = array_add(&table->columns);

	if (column) {
		column->title = title;
		column->form = form;
		column->has_value = true;
	}
	return column;
}

struct cell *table_add_line(struct table *table, char mark)
{
	struct table_line *line = array_add(&table->lines);

	if (!line)
		return NULL;
	line->mark = mark;
	line->cells = arena_alloc(&table->arena,
				  table->columns.count * sizeof(*line->cells) + 1);
	return line->cells;
}

char *table_text(struct table *table, const char *text)
{
	return arena_text(&table->arena, text, strlen(text));
}

/* Write the number, with point digits after the decimal point, backwards from end.
 * Returns its start. */
static char *put_digits(char *end, uint64_t number, int point)
{
	for (int digits = 0; number > 0 || digits <= point; digits++) {
		if (point > 0 && digits == point)
			*--end = '.';
		*--end = (char)('0' + number % 10);
		number /= 10;
	}
	return end;
}

/* Larger numbers are left to printf: doubles no longer represent all their digits. */
#define EXACT_MAX INT64_C(1000000000000000)

/* Format seconds as "%.3f" does. Only values half way between digits need a double. */
static void put_seconds(char *out, size_t size, int64_t ns)
{
	char text[32];
	char *end = text + sizeof(text) - 1;

	if (ns < 0 || ns > EXACT_MAX || ns % 1000000 == 500000) {
		snprintf(out, size, "%.3f", (double)ns / 1e9);
		return;
	}
	*end = '\0';
	strcpy(out, put_digits(end, (uint64_t)(ns + 500000) / 1000000, 3));
}

void format_seconds(char *out, size_t size, int64_t ns)
{
	if (ns == 0)
		strcpy(out, "0.");
	else
		put_seconds(out, size, ns);
}

static bool is_number(const struct table_column *column)
{
	return column->form == CELL_TIME || column->form == CELL_COUNT;
}

/* Format the value alone; a zero time keeps its point below the other points. */
static const char *format_value(const struct table_column *column,
				const struct cell *cell, char *out, size_t size)
{
	if (!is_number(column))
		return cell->text ? cell->text : "";
	if (column->form == CELL_COUNT)
		snprintf(out, size, "%" PRId64, cell->value);
	else if (cell->value == 0)
		strcpy(out, "0.   ");
	else
		format_seconds(out, size, cell->value);
	return out;
}

/* Format the share as "%6.2f" does, in the same way. */
static void put_percent(char *out, size_t size, double percent)
{
	double hundredths = percent * 100.0;
	uint64_t below;
	char text[32], *begin;

	if (!(hundredths >= 0.0 && hundredths < 1e6)) {
		snprintf(out, size, "%*.2f", PERCENT_WIDTH, percent);
		return;
	}
	below = (uint64_t)hundredths;
	hundredths -= (double)below;
	if (hundredths > 0.499999 && hundredths < 0.500001) {
		snprintf(out, size, "%*.2f", PERCENT_WIDTH, percent);
		return;
	}
	text[sizeof(text) - 1] = '\0';
	begin = put_digits(text + sizeof(text) - 1, below + (hundredths > 0.5), 2);
	while (begin > text + sizeof(text) - 1 - PERCENT_WIDTH)
		*--begin = ' ';
	strcpy(out, begin);
}

static void format_percent(char *out, size_t size, const struct table_column *column,
			   const struct cell *cell, bool has_no_share)
{
	/* Measured: gprofng divides seconds by seconds and then multiplies by 100. Halves
	 * of a hundredth, frequent with round figures, need the same order. */
	double unit = column->form == CELL_TIME ? 1e9 : 1.0;

	if (cell->value == 0 || column->whole == 0 || has_no_share)
		strcpy(out, "  0.  ");
	else
		put_percent(out, size,
			    100.0 * (((double)cell->value / unit) /
				     ((double)column->whole / unit)));
}

/* ---- titles ---- */

struct title {
	struct {
		const char *text;
		size_t length;
	} lines[TITLE_LINES + 1];
	size_t count; /* more than TITLE_LINES: does not fit */
};

/* Break a title at blanks into lines of at most width; a longer word does not fit. */
static struct title wrap(const char *text, size_t width)
{
	struct title title = { 0 };

	while (*text) {
		size_t length = 0;

		for (size_t i = 1;; i++) {
			if (text[i] && text[i] != ' ')
				continue;
			if (i > width)
				break;
			length = i;
			if (!text[i])
				break;
		}
		if (length == 0 || title.count == TITLE_LINES) {
			title.count = TITLE_LINES + 1;
			return title;
		}
		title.lines[title.count].text = text;
		title.lines[title.count++].length = length;
		text += length + (text[length] == ' ');
	}
	return title;
}

static const char *unit_of(const struct table_column *column)
{
	return column->form == CELL_TIME && column->has_value ? "sec." : "";
}

/* Returns the smallest width at which the title, with its unit, fits its lines; above
 * percents it has only two. */
static size_t title_width(const struct table_column *column)
{
	size_t lines = column->has_percent ? TITLE_LINES - 1 : TITLE_LINES;
	size_t width = 1;
	char text[192];

	snprintf(text, sizeof(text), "%s%s%s", column->title,
		 *unit_of(column) && !column->has_percent ? " " : "",
		 column->has_percent ? "" : unit_of(column));
	while (wrap(text, width).count > lines)
		width++;
	return width;
}

/* Add the third line: the rest of the title, or else the units above their numbers. */
static void add_unit_line(struct strbuf *line, const struct table_column *column,
			  const struct title *title)
{
	const char *unit = unit_of(column);

	if (title->count == TITLE_LINES) {
		strbuf_add(line, title->lines[2].text, title->lines[2].length);
		if (*unit)
			strbuf_printf(line, " %s", unit);
		return;
	}
	if (column->has_value)
		strbuf_printf(line, "%*s", (int)column->value_width, unit);
	if (column->has_percent)
		strbuf_printf(line, "%s%*s", column->has_value ? " " : "", PERCENT_WIDTH,
			      "%");
}

static void add_title_line(struct strbuf *line, const struct table_column *column,
			   size_t number)
{
	struct title title;

	if (!is_number(column)) {
		if (number == 0)
			strbuf_add_text(line, column->title);
		return;
	}
	title = wrap(column->title, column->width);
	if (number == TITLE_LINES - 1)
		add_unit_line(line, column, &title);
	else if (number < title.count)
		strbuf_add(line, title.lines[number].text, title.lines[number].length);
}

/* ---- layout and printing ---- */

static size_t columns_of_text(const char *text)
{
	size_t columns = 0;

	/* Continuation bytes of UTF-8 take no room of their own. */
	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

/* Returns the width of a column's widest value: of numbers, the largest or smallest. */
static size_t value_width(const struct table *table, size_t i)
{
	const struct table_column *column = &table->columns.items[i];
	struct cell ends[2] = { { .value = 0 }, { .value = 0 } };
	size_t width = 0;
	char text[64];

	for (size_t j = 0; j < table->lines.count; j++) {
		const struct cell *cell = &table->lines.items[j].cells[i];

		if (is_number(column)) {
			ends[0].value = j && ends[0].value < cell->value ? ends[0].value
									 : cell->value;
			ends[1].value = j && ends[1].value > cell->value ? ends[1].value
									 : cell->value;
		} else {
			size_t needed = columns_of_text(cell->text);

			width = needed > width ? needed : width;
		}
	}
	for (size_t j = 0; j < 2 && is_number(column); j++) {
		size_t needed =
			strlen(format_value(column, &ends[j], text, sizeof(text)));

		width = needed > width ? needed : width;
	}
	return width;
}

void table_lay_out(struct table *table)
{
	for (size_t i = 0; i < table->columns.count; i++) {
		struct table_column *column = &table->columns.items[i];
		size_t wanted;

		/* A name in the last column is never padded. */
		bool is_last = i + 1 == table->columns.count && column->form == CELL_NAME;

		column->value_width =
			column->has_value && !is_last ? value_width(table, i) : 0;
		column->width = column->value_width;
		if (column->has_percent)
			column->width += PERCENT_WIDTH + column->has_value;
		wanted = is_number(column) ? title_width(column) : strlen(column->title);
		if (column->width < wanted)
			column->width = wanted;
	}
}

static void add_blanks(struct strbuf *line, size_t count)
{
	while (count-- > 0)
		strbuf_add_char(line, ' ');
}

static void pad_to(struct strbuf *line, size_t start, size_t width)
{
	size_t columns = columns_of_text(strbuf_text(line) + start);

	if (columns < width)
		add_blanks(line, width - columns);
}

/* Separate columns by two blanks, one after a name. A name's mark takes a third. */
static void separate(struct strbuf *line, const struct table *table, size_t column)
{
	if (column == 0)
		return;
	if (table->columns.items[column].form == CELL_NAME)
		strbuf_add_text(line, "  ");
	else
		strbuf_add_text(line, table->columns.items[column - 1].form == CELL_NAME
					      ? " "
					      : "  ");
}

static void print_trimmed(struct strbuf *line, FILE *out)
{
	while (line->length > 0 && line->text[line->length - 1] == ' ')
		line->length--;
	fwrite(strbuf_text(line), 1, line->length, out);
	putc('\n', out);
	strbuf_clear(line);
}

void table_print_header(const struct table *table, FILE *out)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;

	for (size_t number = 0; number < TITLE_LINES; number++) {
		for (size_t i = 0; i < table->columns.count; i++) {
			const struct table_column *column = &table->columns.items[i];
			bool is_name = column->form == CELL_NAME;
			size_t start;

			separate(&line, table, i);
			if (is_name && i > 0)
				strbuf_add_char(&line, ' ');
			start = line.length;
			add_title_line(&line, column, number);
			pad_to(&line, start, column->width + (is_name && i == 0));
		}
		print_trimmed(&line, out);
	}
}

static void add_cell(struct strbuf *line, const struct table_column *column,
		     const struct cell *cell, bool has_no_share)
{
	char text[64];

	if (column->has_value) {
		const char *value = format_value(column, cell, text, sizeof(text));
		size_t width = columns_of_text(value);

		if (width < column->value_width)
			add_blanks(line, column->value_width - width);
		strbuf_add_text(line, value);
	}
	if (column->has_percent) {
		format_percent(text, sizeof(text), column, cell, has_no_share);
		if (column->has_value)
			strbuf_add_char(line, ' ');
		strbuf_add_text(line, text);
	}
}

static void print_line(const struct table *table, const struct table_line *table_line,
		       struct strbuf *line, FILE *out)
{
	for (size_t i = 0; i < table->columns.count; i++) {
		const struct table_column *column = &table->columns.items[i];
		const struct cell *cell = &table_line->cells[i];
		size_t start;

		separate(line, table, i);
		if (column->form == CELL_NAME)
			strbuf_add_char(line, table_line->mark);
		start = line->length;
		if (column->form == CELL_NAME)
			strbuf_add_text(line, cell->text);
		else
			add_cell(line, column, cell, table_line->has_no_share);
		if (i + 1 < table->columns.count)
			pad_to(line, start, column->width);
	}
	print_trimmed(line, out);
}

void table_print_lines(const struct table *table, size_t first, size_t count, FILE *out)
{
	cleanup_strbuf struct strbuf line = STRBUF_INIT;

	for (size_t i = first; i < first + count && i < table->lines.count; i++)
		print_line(table, &table->lines.items[i], &line, out);
}

void table_print_rule(const struct table *table, const char *word, FILE *out)
{
	for (size_t i = 0; i < table->columns.count; i++)
		if (table->columns.items[i].form != CELL_NAME)
			for (size_t j = 0; j < table->columns.items[i].width + 2; j++)
				putc('=', out);
	fprintf(out, " %s\n", word);
}
