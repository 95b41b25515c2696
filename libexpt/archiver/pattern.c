/* SPDX-License-Identifier: Apache-2.0 */
/* Selects files by path: one of some regular expressions must match. */
#include <errno.h>
#include <regex.h>

#include "libexpt/archiver/private.h"
#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/expression/pattern.h"

int archive_patterns_open(struct archive_patterns *patterns, const char *const *texts,
			  struct expt_error *err)
{
	int rc = 0;

	for (; rc == 0 && texts && *texts; texts++) {
		regex_t *regex = array_add(patterns);

		if (!regex)
			return expt_fail(err, -ENOMEM, "cannot use pattern '%s'", *texts);
		rc = pattern_compile(regex, *texts, REG_NOSUB, err);
		if (rc < 0)
			patterns->count--;
	}
	return rc;
}

bool archive_patterns_match(const struct archive_patterns *patterns, const char *path)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (regexec(&patterns->items[i], path, 0, NULL, 0) == 0)
			return true;
	return patterns->count == 0;
}

void archive_patterns_release(struct archive_patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		regfree(&patterns->items[i]);
	array_release(patterns);
}
