/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of descendants. The pattern comes anchored from collect. */

#include <collector/collector.h>
#include <collector/follow.h>
#include <libexpt/format.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

static regex_t pattern;
static bool is_compiled;

static bool matches(const char *name)
{
	return regexec(&pattern, name, 0, NULL, 0) == 0;
}

bool follow_matches(void)
{
	const char *path = (const char *)getauxval(AT_EXECFN), *slash;

	if (collector_is_founder() || settings.follow == FOLLOW_ALL)
		return true;
	if (settings.follow != FOLLOW_MATCHING || settings.follow_pattern == NULL)
		return false;
	if (!is_compiled) {
		if (regcomp(&pattern, settings.follow_pattern, REG_EXTENDED | REG_NOSUB) !=
		    0)
			return false;
		is_compiled = true;
	}
	slash = path != NULL ? strrchr(path, '/') : NULL;
	return matches(process.lineage) ||
	       (path != NULL && matches(slash != NULL ? slash + 1 : path));
}
