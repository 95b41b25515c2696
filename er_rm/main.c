/* SPDX-License-Identifier: Apache-2.0 */
/* er_rm - remove experiments, and groups with their experiments */
#include <getopt.h>
#include <stddef.h>

#include "er_rm/er_rm.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/options.h"

/* ---- options ---- */

static int say_bad_value(const char *value, const char *wanted)
{
	cli_error("'%s' is not %s", value, wanted);
	return CLI_USAGE;
}

static int take_age(uint64_t *age_s, bool *has, const char *value)
{
	*has = number_age(age_s, value);
	return *has ? CLI_OK
		    : say_bad_value(value,
				    "an age: use a number followed by s, m, h, d or w");
}

static int take_size(uint64_t *bytes, bool *has, const char *value)
{
	*has = number_size(bytes, value);
	return *has ? CLI_OK
		    : say_bad_value(value,
				    "a size: use a number followed by k, M, G or T");
}

static int take_older_than(void *options, const char *value)
{
	struct expt_criteria *criteria = &((struct options *)options)->criteria;

	return take_age(&criteria->older_than_s, &criteria->has_older_than, value);
}

static int take_newer_than(void *options, const char *value)
{
	struct expt_criteria *criteria = &((struct options *)options)->criteria;

	return take_age(&criteria->newer_than_s, &criteria->has_newer_than, value);
}

static int take_larger_than(void *options, const char *value)
{
	struct expt_criteria *criteria = &((struct options *)options)->criteria;

	return take_size(&criteria->larger_than, &criteria->has_larger_than, value);
}

static int take_max_total(void *options, const char *value)
{
	struct expt_criteria *criteria = &((struct options *)options)->criteria;

	return take_size(&criteria->max_total, &criteria->has_max_total, value);
}

static int take_min_free(void *options, const char *value)
{
	struct expt_criteria *criteria = &((struct options *)options)->criteria;

	return take_size(&criteria->min_free, &criteria->has_min_free, value);
}

static int take_keep(void *options, const char *value)
{
	struct expt_criteria *criteria = &((struct options *)options)->criteria;

	if (!number_u64(&criteria->keep, value) || criteria->keep == 0)
		return say_bad_value(value, "a number of experiments: use 1 or more");
	return CLI_OK;
}

static const char synopsis[] = "usage: er_rm [OPTION]... EXPERIMENT-OR-GROUP...\n"
			       "       er_rm -r [OPTION]... DIRECTORY...\n"
			       "       er_rm -V\n";

static const struct cli_option general[] = {
	{ 'f', "force", NULL,
	  "do not complain about missing experiments;\nremove even experiments being "
	  "recorded",
	  CLI_FLAG(struct options, force) },
	{ 'i', "interactive", NULL, "ask before each removal",
	  CLI_FLAG(struct options, interactive) },
	{ 'I', NULL, NULL, "ask once before removing more than three",
	  CLI_FLAG(struct options, interactive_once) },
	{ 'n', "dry-run", NULL, "show what would be removed, change nothing",
	  CLI_FLAG(struct options, dry_run) },
	{ 'v', "verbose", NULL, "list the experiments removed",
	  CLI_FLAG(struct options, is_verbose) },
	{ 'q', "quiet", NULL, "suppress warnings", CLI_FLAG(struct options, is_quiet) },
	{},
};

static const struct cli_option choosing[] = {
	{ 'r', "recursive", NULL, "remove all experiments below directories",
	  CLI_FLAG(struct options, is_recursive) },
	{ 0, "older-than", "=AGE",
	  "only experiments that ended at least AGE ago: a\nnumber followed by s, m, h, "
	  "d (default) or w",
	  .take = take_older_than },
	{ 0, "newer-than", "=AGE", "only experiments that ended within AGE",
	  .take = take_newer_than },
	{ 0, "larger-than", "=SIZE",
	  "only experiments that use more disk space: a\nnumber in bytes, or followed by "
	  "k, M, G or T",
	  .take = take_larger_than },
	{ 0, "name", "=PATTERN", "only experiments whose name matches",
	  CLI_TEXT(struct options, criteria.name) },
	{ 0, "comment", "=REGEX", "only experiments whose notes match",
	  CLI_TEXT(struct options, criteria.comment) },
	{ 0, "keep-notes", NULL, "keep experiments that have notes",
	  CLI_FLAG(struct options, criteria.without_notes) },
	{ 0, "incomplete", NULL, "only experiments whose recording did not finish",
	  CLI_FLAG(struct options, criteria.incomplete) },
	{ 0, "keep", "=N", "keep the N newest of each stem in each\ndirectory",
	  .take = take_keep },
	{ 0, "max-total", "=SIZE", "remove the oldest until the rest fits in SIZE",
	  .take = take_max_total },
	{ 0, "min-free", "=SIZE", "remove the oldest until SIZE is free on the disk",
	  .take = take_min_free },
	{ 0, "all-owners", NULL,
	  "apply the last three options to the experiments\nof all owners together, not "
	  "of each owner",
	  CLI_FLAG(struct options, criteria.all_owners) },
	{},
};

static const struct cli_option *const tables[] = { general, choosing, NULL };

/* Returns whether criteria choose the experiments, not only names. */
static bool is_choosing(const struct options *options)
{
	const struct expt_criteria *criteria = &options->criteria;

	return options->is_recursive || criteria->name || criteria->comment ||
	       criteria->without_notes || criteria->incomplete || criteria->keep ||
	       criteria->has_older_than || criteria->has_newer_than ||
	       criteria->has_larger_than || criteria->has_max_total ||
	       criteria->has_min_free;
}

int main(int argc, char *argv[])
{
	struct options options = { 0 };
	const struct cli_command command = { .synopsis = synopsis,
					     .tables = tables,
					     .options = &options };
	int status;

	cli_start(argv, NULL);
	cli_allow_many_files();
	status = cli_options(&command, argc, argv);
	if (status >= 0)
		return status;
	if (optind == argc)
		return cli_options_usage(&command);
	status = is_choosing(&options)
			 ? clean(&options, argv + optind, argc - optind)
			 : remove_named(&options, argv + optind, argc - optind);
	return cli_finish(status);
}
