/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about removed and missing experiments. */
#include <inttypes.h>
#include <stdio.h>

#include "er_rm/er_rm.h"
#include "libexpt/cli/cli.h"

/* Write an age like "3 days", in the largest unit that gives at least two. */
static void format_age(char *text, size_t size, uint64_t age_s)
{
	static const struct {
		unsigned seconds;
		const char *name;
	} units[] = { { 86400, "days" }, { 3600, "hours" }, { 60, "minutes" } };

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (age_s / units[i].seconds >= 2) {
			snprintf(text, size, "%" PRIu64 " %s", age_s / units[i].seconds,
				 units[i].name);
			return;
		}
	snprintf(text, size, "%" PRIu64 " seconds", age_s);
}

void say_removed(const struct options *options, const char *path,
		 const struct expt_selected *facts)
{
	const char *verb = options->dry_run ? "would remove" : "removed";
	char age[64];

	if (!options->is_verbose && !options->dry_run)
		return;
	if (!facts || !facts->is_measured) {
		cli_say("%s '%s'", verb, path);
		return;
	}
	format_age(age, sizeof(age), facts->age_s);
	cli_say("%s '%s' (%" PRIu64 " files, %" PRIu64 " bytes on disk, %s old)", verb,
		path, facts->files, facts->bytes, age);
}

void say_leftover(const struct options *options, const struct expt_report_line *line)
{
	const char *verb = options->dry_run ? "would remove" : "removed";

	if (line->outcome == EXPT_REMOVED && (options->is_verbose || options->dry_run))
		cli_say("%s '%s' (%s)", verb, line->name, line->reason);
}

int say_missing(const struct options *options, const char *path, bool is_member)
{
	if (is_member && !options->is_quiet && !options->force)
		cli_warn("%s: No such experiment", path);
	if (is_member || options->force)
		return CLI_OK;
	return cli_error("%s: No such experiment", path);
}
