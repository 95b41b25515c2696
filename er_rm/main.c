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
		    : say_bad_value(value, "an age: a number and s, m, h, d or w");
}

static int take_size(uint64_t *bytes, bool *has, const char *value)
{
	*has = number_size(bytes, value);
	return *has ? CLI_OK : say_bad_value(value, "a size: a number and k, M, G or T");
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
		return say_bad_value(value, "how many to keep: a number from 1 on");
	return CLI_OK;
}

static const char synopsis[] = "usage: er_rm [OPTION]... EXPERIMENT-OR-GROUP...\n"
			       "       er_rm -r [OPTION]... DIRECTORY...\n"
			       "       er_rm -V\n";

static const struct cli_option general[] = {
	{ 'f', "force", NULL,
	  "not a word about what does not exist;\n"
	  "remove even what is still being recorded",
	  CLI_FLAG(struct options, force) },
	{ 'i', "interactive", NULL, "ask before each",
	  CLI_FLAG(struct options, interactive) },
	{ 'I', NULL, NULL, "ask once if there are more than three",
	  CLI_FLAG(struct options, interactive_once) },
	{ 'n', "dry-run", NULL, "check, and show what would be removed",
	  CLI_FLAG(struct options, dry_run) },
	{ 'v', "verbose", NULL, "say what was removed",
	  CLI_FLAG(struct options, is_verbose) },
	{ 'q', "quiet", NULL, "no warnings", CLI_FLAG(struct options, is_quiet) },
	{},
};

static const struct cli_option choosing[] = {
	{ 'r', "recursive", NULL, "all experiments below directories, too",
	  CLI_FLAG(struct options, is_recursive) },
	{ 0, "older-than", "=AGE",
	  "only those that ended so long ago: a number\n"
	  "and s, m, h, d or w; days without",
	  .take = take_older_than },
	{ 0, "newer-than", "=AGE", "only those that ended since",
	  .take = take_newer_than },
	{ 0, "larger-than", "=SIZE",
	  "only larger ones, on the disk: a number and\n"
	  "k, M, G or T; bytes without",
	  .take = take_larger_than },
	{ 0, "name", "=PATTERN", "only those with such a name",
	  CLI_TEXT(struct options, criteria.name) },
	{ 0, "comment", "=REGEX", "only those with such notes",
	  CLI_TEXT(struct options, criteria.comment) },
	{ 0, "keep-notes", NULL, "none that has notes",
	  CLI_FLAG(struct options, criteria.without_notes) },
	{ 0, "incomplete", NULL, "only those that were never finished",
	  CLI_FLAG(struct options, criteria.incomplete) },
	{ 0, "keep", "=N",
	  "all of these but the N newest of each stem\n"
	  "in each directory",
	  .take = take_keep },
	{ 0, "max-total", "=SIZE", "the oldest, until the rest is not larger",
	  .take = take_max_total },
	{ 0, "min-free", "=SIZE", "the oldest, until so much of the disk is free",
	  .take = take_min_free },
	{ 0, "all-owners", NULL,
	  "the last three for all owners together,\n"
	  "not for the experiments of each",
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
