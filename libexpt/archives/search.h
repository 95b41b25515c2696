/* SPDX-License-Identifier: Apache-2.0 */
/* The places where a file that is not at its path may be, one after the other. */
#ifndef LIBEXPT_ARCHIVES_SEARCH_H
#define LIBEXPT_ARCHIVES_SEARCH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "libexpt/expt.h"

struct archive_search {
	const struct expt_search *search;
	const char *path;
	size_t map, directory; /* the next ones to try */
};

/* Get the next place; false: there are no more. */
bool archive_search_next(struct archive_search *state, char out[PATH_MAX]);

#endif
