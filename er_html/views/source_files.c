/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/views/source_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/cli/write.h"

/* Of a line. */
#define IS_SHOWN 1
#define HAS_CODE 2

struct source_file {
	const char *path;
	bool is_sought;
	struct expt_source *source; /* NULL: the text was not found */
	uint32_t line_count;
	uint8_t *marks; /* from line 1 on */
};

uint32_t source_files_add(struct source_files *files, const char *path)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, path);
	uint32_t *slot = idmap_add(&files->by_path, key);
	struct source_file *file;

	/* Another path may have the same key. */
	while (slot && *slot != IDMAP_NONE) {
		if (strcmp(files->all.items[*slot].path, path) == 0)
			return *slot;
		key = idmap_number_key(key, 1);
		slot = idmap_add(&files->by_path, key);
	}
	file = slot ? array_add(&files->all) : NULL;
	if (!file)
		return IDMAP_NONE;
	file->path = path;
	return *slot = (uint32_t)(files->all.count - 1);
}

uint32_t source_files_find(const struct source_files *files, const char *path)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, path);
	uint32_t number = idmap_find(&files->by_path, key);

	while (number != IDMAP_NONE && strcmp(files->all.items[number].path, path) != 0) {
		key = idmap_number_key(key, 1);
		number = idmap_find(&files->by_path, key);
	}
	return number;
}

void source_files_open(struct source_files *files, uint32_t number,
		       struct expt_object *object)
{
	struct source_file *file = &files->all.items[number];
	size_t count;

	if (file->is_sought)
		return;
	file->is_sought = true;
	if (expt_source_open(&file->source, object, file->path, files->search, NULL) < 0)
		return;
	count = expt_source_line_count(file->source);
	file->line_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX - 1;
	file->marks = calloc(file->line_count + 1, sizeof(*file->marks));
	if (!file->marks)
		file->line_count = 0;
}

/* ---- lines ---- */

static bool has_line(const struct source_file *file, uint32_t line)
{
	return line > 0 && line <= file->line_count;
}

uint64_t source_files_size(const struct source_files *files, uint32_t number,
			   uint32_t first, uint32_t last)
{
	const struct source_file *file = &files->all.items[number];
	uint64_t size = 0;

	for (uint32_t line = first; line <= last && has_line(file, line); line++) {
		size_t length;

		if ((file->marks[line] & IS_SHOWN) != 0)
			continue;
		expt_source_line(file->source, line, &length);
		size += length + 1;
	}
	return size;
}

static void mark(struct source_files *files, uint32_t number, uint32_t line, uint8_t as)
{
	struct source_file *file = &files->all.items[number];

	if (has_line(file, line))
		file->marks[line] |= as;
}

void source_files_show(struct source_files *files, uint32_t number, uint32_t first,
		       uint32_t last)
{
	for (uint32_t line = first;
	     line <= last && has_line(&files->all.items[number], line); line++)
		mark(files, number, line, IS_SHOWN);
}

void source_files_mark(struct source_files *files, uint32_t number, uint32_t line)
{
	mark(files, number, line, HAS_CODE);
}

bool source_files_shows(const struct source_files *files, uint32_t number, uint32_t line)
{
	const struct source_file *file = &files->all.items[number];

	return has_line(file, line) && (file->marks[line] & IS_SHOWN) != 0;
}

/* ---- the same as text ---- */

/* Lines end with a newline, or a carriage return and a newline. */
static void write_text(FILE *out, const struct source_file *file, uint32_t first,
		       uint32_t end)
{
	putc('"', out);
	for (uint32_t line = first; line < end; line++) {
		size_t length;
		const char *text = expt_source_line(file->source, line, &length);

		if (length > 0 && text[length - 1] == '\r')
			length--;
		if (line > first)
			fputs("\\n", out);
		write_json(out, text, length);
	}
	putc('"', out);
}

/* Write lines that follow each other as [first, "text"]. */
static void write_parts(FILE *out, const struct source_file *file)
{
	const char *separator = "";

	fputs("\"parts\":[", out);
	for (uint32_t line = 1; line <= file->line_count; line++) {
		uint32_t first = line;

		while (line <= file->line_count && (file->marks[line] & IS_SHOWN) != 0)
			line++;
		if (line == first)
			continue;
		fprintf(out, "%s[%" PRIu32 ",", separator, first);
		write_text(out, file, first, line);
		putc(']', out);
		separator = ",";
	}
	putc(']', out);
}

static void write_lines_with_code(FILE *out, const struct source_file *file)
{
	const char *separator = "";

	fputs(",\"code\":[", out);
	for (uint32_t line = 1; line <= file->line_count; line++)
		if (file->marks[line] == (IS_SHOWN | HAS_CODE)) {
			fprintf(out, "%s%" PRIu32, separator, line);
			separator = ",";
		}
	putc(']', out);
}

static void write_file(FILE *out, const struct source_file *file)
{
	const struct expt_source_info *info =
		file->source ? expt_source_info(file->source) : NULL;

	fputs("{\"path\":", out);
	write_json_text(out, file->path);
	if (info) {
		fprintf(out, ",\"isChanged\":%s,\"isNewer\":%s,",
			info->is_changed ? "true" : "false",
			info->is_newer ? "true" : "false");
		write_parts(out, file);
		write_lines_with_code(out, file);
	}
	putc('}', out);
}

void source_files_write(const struct source_files *files, FILE *out)
{
	putc('[', out);
	for (size_t i = 0; i < files->all.count; i++) {
		if (i > 0)
			putc(',', out);
		write_file(out, &files->all.items[i]);
	}
	putc(']', out);
}

void source_files_release(struct source_files *files)
{
	for (size_t i = 0; i < files->all.count; i++) {
		expt_source_close(files->all.items[i].source);
		free(files->all.items[i].marks);
	}
	array_release(&files->all);
	idmap_release(&files->by_path);
}
