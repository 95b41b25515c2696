/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/class_source.h"

#include <ctype.h>
#include <string.h>

#include "libexpt/base/io.h"
#include "libexpt/base/path.h"

#define UNNOTED	   "<Unknown>" /* in the place of a name */
#define HEAD_BYTES 65536 /* the package is stated before the classes, after a licence */

/* ---- its path ---- */

static bool is_file_name(const char *text, size_t length)
{
	return length > 0 && !memchr(text, '/', length) && !memchr(text, '\0', length) &&
	       !(text[0] == '.' && (length == 1 || (length == 2 && text[1] == '.'))) &&
	       !(length == strlen(UNNOTED) && memcmp(text, UNNOTED, length) == 0);
}

void class_source_path(struct strbuf *path, const char *class_name, size_t class_length,
		       const char *source, size_t source_length)
{
	const char *slash = memrchr(class_name, '/', class_length);
	const char *base = slash ? slash + 1 : class_name;
	size_t length = class_length - (size_t)(base - class_name);
	const char *part = memchr(base, '$', length);

	strbuf_add(path, class_name, (size_t)(base - class_name));
	if (is_file_name(source, source_length)) {
		strbuf_add(path, source, source_length);
		return;
	}
	strbuf_add(path, base, part ? (size_t)(part - base) : length);
	strbuf_add_text(path, ".java");
}

/* ---- its package ---- */

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return at;
}

static bool is_in_name(char byte)
{
	unsigned char value = (unsigned char)byte;

	return isalnum(value) || value >= 0x80 || value == '_' || value == '$' ||
	       value == '.';
}

/* Get the name in a line "package a.b;", whose semicolon Kotlin and Scala leave out.
 * NULL: the line states no package. */
static const char *stated_package(const char *line, const char *end, size_t *length)
{
	static const char word[] = "package";
	const size_t size = sizeof(word) - 1;
	const char *at = skip_blanks(line, end), *name;

	if ((size_t)(end - at) <= size || memcmp(at, word, size) != 0 ||
	    is_in_name(at[size]))
		return NULL;
	name = at = skip_blanks(at + size, end);
	while (at < end && is_in_name(*at))
		at++;
	*length = (size_t)(at - name);
	at = skip_blanks(at, end);
	if (*length == 0 || (at < end && (*at == '\0' || !strchr(";{/\r", *at))))
		return NULL;
	return name;
}

/* A package of Scala may be stated in several steps, so that the first one states only
 * its beginning. */
static bool is_package(const char *path, const char *package, size_t length)
{
	const char *base = path_base(path);

	if (length >= (size_t)(base - path))
		return false;
	for (size_t i = 0; i < length; i++)
		if (package[i] != (path[i] == '/' ? '.' : path[i]))
			return false;
	return path + length + 1 == base ||
	       (path[length] == '/' && text_ends_with(base, ".scala"));
}

bool class_source_fits(int fd, const char *path)
{
	char head[HEAD_BYTES];
	ssize_t got = io_pread_full(fd, head, sizeof(head), 0);
	const char *end = head + (got > 0 ? got : 0), *next;

	for (const char *line = head; line < end; line = next + 1) {
		const char *package;
		size_t length;

		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			next = end;
		package = stated_package(line, next, &length);
		if (package)
			return is_package(path, package, length);
	}
	return path_base(path) == path || !text_ends_with(path, ".java");
}
