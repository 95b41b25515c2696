/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/search.h"

#include <stdio.h>
#include <string.h>

/* The beginning must be a whole number of components. */
static const char *rest_behind(const char *path, const char *beginning)
{
	size_t length = strlen(beginning);

	if (length == 0 || strncmp(path, beginning, length) != 0)
		return NULL;
	if (beginning[length - 1] != '/' && path[length] != '/' && path[length])
		return NULL;
	return path + length;
}

static bool print(char out[PATH_MAX], const char *before, const char *between,
		  const char *behind)
{
	int length = snprintf(out, PATH_MAX, "%s%s%s", before, between, behind);

	return length > 0 && length < PATH_MAX;
}

static bool next_map(char out[PATH_MAX], const struct expt_search *search,
		     const char *path, size_t *place)
{
	while (search->maps && search->maps[*place] && search->maps[*place + 1]) {
		const char *rest = rest_behind(path, search->maps[*place]);
		const char *now = search->maps[*place + 1];

		*place += 2;
		if (rest && print(out, now, "", rest))
			return true;
	}
	return false;
}

/* A directory is searched for a path that is relative, as that of a class in Java, and
 * then for the file's name alone. */
static bool next_directory(char out[PATH_MAX], const struct expt_search *search,
			   const char *path, size_t *place)
{
	const char *slash = strrchr(path, '/');

	while (search->directories && search->directories[*place / 2]) {
		const char *directory = search->directories[*place / 2];
		bool is_for_name = (*place)++ % 2 == 1;

		if (!is_for_name && (!slash || *path == '/'))
			continue;
		if (print(out, directory, "/", is_for_name && slash ? slash + 1 : path))
			return true;
	}
	return false;
}

bool archive_search_next(struct archive_search *state, char out[PATH_MAX])
{
	const struct expt_search *search = state->search;

	return search && (next_map(out, search, state->path, &state->map) ||
			  next_directory(out, search, state->path, &state->directory));
}
