/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/path.h"

#include <stdio.h>
#include <string.h>

size_t path_length(const char *path)
{
	size_t length = strlen(path);

	while (length > 1 && path[length - 1] == '/')
		length--;
	return length;
}

const char *path_last(const char *path, size_t *length)
{
	size_t end = path_length(path), start = end;

	while (start > 0 && path[start - 1] != '/')
		start--;
	*length = end - start;
	return path + start;
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *path_join(const char *directory, const char *name)
{
	size_t length = strlen(directory);
	const char *slash = length && directory[length - 1] == '/' ? "" : "/";
	char *path;

	return asprintf(&path, "%s%s%s", directory, slash, name) < 0 ? NULL : path;
}

static bool ends_component(const char *at)
{
	return *at == '/' || *at == '\0';
}

/* Returns the length of the longest directory, without a final slash, that contains or is
 * both. */
static size_t common_length(const char *a, const char *b)
{
	size_t common = 0;

	for (size_t i = 0;; i++) {
		if (ends_component(a + i) && ends_component(b + i))
			common = i;
		if (a[i] != b[i] || !a[i])
			return common;
	}
}

void path_add_way(struct strbuf *way, const char *from, const char *to)
{
	size_t common = common_length(from, to);

	for (const char *left = from + common; *left; left++)
		if (*left == '/' && left[1])
			strbuf_add_text(way, "../");
	to += common;
	strbuf_add_text(way, to + (*to == '/'));
}

void path_clean(char *path)
{
	char *start = path, *to = path;

	while (*path) {
		size_t length = strcspn(path, "/");

		path += length;
		if (length > 0 && !(length == 1 && path[-1] == '.')) {
			*to++ = '/';
			memmove(to, path - length, length);
			to += length;
		}
		path += *path == '/';
	}
	if (to == start && to < path) /* the root */
		*to++ = '/';
	*to = '\0';
}

bool text_starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_ends_with(const char *text, const char *suffix)
{
	size_t length = strlen(text), suffix_length = strlen(suffix);

	return length > suffix_length &&
	       strcmp(text + length - suffix_length, suffix) == 0;
}

bool text_has_controls(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return true;
	return false;
}
