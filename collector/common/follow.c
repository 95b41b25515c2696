/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of descendants. collect has anchored the pattern. */

#include "collector/common/follow.h"

#include <regex.h>
#include <string.h>

#include "collector/common/settings.h"
#include "libexpt/format.h"

static regex_t pattern;
static bool is_compiled;

static bool matches(const char *name)
{
	return regexec(&pattern, name, 0, NULL, 0) == 0;
}

bool follow_matches(const char *lineage, const char *path)
{
	const char *slash;

	if (lineage[0] == '\0' || settings.follow == FOLLOW_ALL)
		return true;
	if (settings.follow != FOLLOW_MATCHING || !settings.follow_pattern)
		return false;
	if (!is_compiled) {
		if (regcomp(&pattern, settings.follow_pattern,
			    REG_EXTENDED | REG_NOSUB) != 0)
			return false;
		is_compiled = true;
	}
	slash = path ? strrchr(path, '/') : NULL;
	return matches(lineage) || (path && matches(slash ? slash + 1 : path));
}
