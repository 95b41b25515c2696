/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/path.h"

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

bool text_starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool text_ends_with(const char *text, const char *suffix)
{
	size_t length = strlen(text), suffix_length = strlen(suffix);

	return length > suffix_length && strcmp(text + length - suffix_length, suffix) == 0;
}
