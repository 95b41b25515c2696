/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/table/output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/escape.h"

/* The document refers to nothing, and tells browsers to load and run nothing. */
static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'\">\n"
	"<title>%s</title>\n"
	"<style>\n"
	"table { border-collapse: collapse; margin-bottom: 1em; }\n"
	"th, td { padding: 0 0.5em; white-space: pre; font-family: monospace; "
	"text-align: left; }\n"
	"th { background: #eee; vertical-align: top; }\n"
	".time, .count, .right { text-align: right; }\n"
	".sorted { background: #ffc; }\n"
	".self, .hot { font-weight: bold; }\n"
	"tbody { border-top: thin solid; }\n"
	"</style>\n"
	"</head>\n"
	"<body>\n";
static const char tail[] = "</body>\n</html>\n";

struct document {
	FILE *file;   /* of the output */
	FILE *plain;  /* what is not a table: to be escaped and set in <pre> */
	FILE *markup; /* tags, and text that is escaped already */
	bool is_begun, is_in_text;
};

/* ---- text in html ---- */

static const char *entity_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void output_escape_html(struct strbuf *to, const char *text, size_t length)
{
	size_t done = 0;

	for (size_t i = 0; i < length; i++) {
		const char *entity = entity_of(text[i]);

		if (!entity)
			continue;
		strbuf_add(to, text + done, i - done);
		strbuf_add_text(to, entity);
		done = i + 1;
	}
	strbuf_add(to, text + done, length - done);
}

/* ---- the document ---- */

static void begin(struct document *document, const char *title)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	if (document->is_begun)
		return;
	output_escape_html(&text, title, strlen(title));
	fprintf(document->markup, head, strbuf_text(&text));
	fflush(document->markup);
	document->is_begun = true;
}

static void begin_text(struct document *document)
{
	begin(document, "er_print");
	if (!document->is_in_text)
		fputs("<pre>\n", document->file);
	document->is_in_text = true;
}

static void end_text(struct document *document)
{
	if (document->is_in_text)
		fputs("</pre>\n", document->file);
	document->is_in_text = false;
}

/* Blank lines are between tables, but not a text of their own. */
static size_t count_newlines(const char *bytes, size_t size)
{
	size_t count = 0;

	while (count < size && bytes[count] == '\n')
		count++;
	return count;
}

static ssize_t write_text(void *cookie, const char *bytes, size_t size)
{
	struct document *document = cookie;
	size_t skipped = document->is_in_text ? 0 : count_newlines(bytes, size);
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	if (skipped == size)
		return (ssize_t)size;
	output_escape_html(&text, bytes + skipped, size - skipped);
	if (text.failed) {
		errno = ENOMEM;
		return 0;
	}
	fflush(document->markup);
	begin_text(document);
	fwrite(text.text, 1, text.length, document->file);
	return ferror(document->file) ? 0 : (ssize_t)size;
}

static bool close_streams(struct document *document)
{
	bool is_good = !document->plain || fclose(document->plain) == 0;

	if (document->markup && fclose(document->markup) != 0)
		is_good = false;
	if (is_good && document->is_begun) {
		end_text(document);
		fputs(tail, document->file);
	}
	free(document);
	return is_good;
}

static struct document *open_document(FILE *file)
{
	static const cookie_io_functions_t functions = { .write = write_text };
	struct document *document = calloc(1, sizeof(*document));

	if (!document)
		return NULL;
	document->file = file;
	document->plain = fopencookie(document, "w", functions);
	document->markup = document->plain ? escape_stream(file) : NULL;
	if (document->markup)
		return document;
	close_streams(document);
	return NULL;
}

/* ---- output ---- */

bool output_open(struct output *output, FILE *file, enum output_form form, char delimiter)
{
	struct output new = { .form = form, .delimiter = delimiter, .file = file };

	if (form == OUTPUT_HTML) {
		new.document = open_document(file);
		if (!new.document)
			return false;
	}
	new.text = escape_stream(new.document ? new.document->plain : file);
	if (!new.text) {
		if (new.document)
			close_streams(new.document);
		return false;
	}
	*output = new;
	return true;
}

bool output_close(struct output *output)
{
	bool is_good = fflush(output->text) == 0 && !ferror(output->text);
	int number = errno;

	if (fclose(output->text) != 0)
		is_good = false;
	if (output->document && !close_streams(output->document))
		is_good = false;
	if (fflush(output->file) != 0 || ferror(output->file)) {
		number = number ? number : errno;
		is_good = false;
	}
	*output = (struct output){ .form = output->form, .delimiter = output->delimiter };
	errno = number;
	return is_good;
}

FILE *output_markup(struct output *output)
{
	struct document *document = output->document;

	fflush(output->text);
	begin(document, "er_print");
	end_text(document);
	return document->markup;
}

void output_heading(struct output *output, const char *title)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	if (output->form != OUTPUT_HTML)
		return;
	fflush(output->text);
	begin(output->document, title);
	output_escape_html(&text, title, strlen(title));
	fprintf(output_markup(output), "<h2>%s</h2>\n", strbuf_text(&text));
	fflush(output->document->markup);
}

void output_title(struct output *output, const char *format, ...)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	va_list arguments;
	char line[4096];
	const char *title;

	va_start(arguments, format);
	strbuf_vprintf(&text, format, arguments);
	va_end(arguments);
	title = escape_line(line, sizeof(line), strbuf_text(&text));
	output_heading(output, title);
	if (output->form == OUTPUT_TEXT)
		fprintf(output->text, "%s\n", title);
}

void output_gap(struct output *output)
{
	if (output->form == OUTPUT_TEXT)
		fputc('\n', output->text);
}
