/* SPDX-License-Identifier: Apache-2.0 */
/* er_rm - remove experiments, and groups with their experiments */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "er_rm/er_rm.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
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
	return *has ? CLI_OK : say_bad_value(value, "an age: a number and s, m, h, d or w");
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
	{ 0, "newer-than", "=AGE", "only those that ended since", .take = take_newer_than },
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

/* Something other than names says what is to go. */
static bool is_choosing(const struct options *options)
{
	const struct expt_criteria *criteria = &options->criteria;

	return options->is_recursive || criteria->name || criteria->comment ||
	       criteria->without_notes || criteria->incomplete || criteria->keep ||
	       criteria->has_older_than || criteria->has_newer_than ||
	       criteria->has_larger_than || criteria->has_max_total ||
	       criteria->has_min_free;
}

/* ---- what is said of an experiment ---- */

/* "3 days", in the largest unit of which there are two. */
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

/* Measuring looks at every file, so it is done only for those who want to see it. The selection owns
 * the facts; without it there are none. */
static struct expt_selection *measure(const struct options *options, const char *path,
				      const struct expt_selected **facts)
{
	const struct expt_criteria criteria = { .measure = true };
	struct expt_selection *selection;

	*facts = NULL;
	if ((!options->is_verbose && !options->dry_run) ||
	    expt_selection_open(&selection, &criteria, NULL) < 0)
		return NULL;
	if (expt_selection_add(selection, path, NULL) == 0 &&
	    expt_selection_read(selection, NULL) == 0)
		*facts = expt_selection_next(selection);
	return selection;
}

/* ---- one experiment ---- */

int say_missing(const struct options *options, const char *path, bool is_member)
{
	if (is_member && !options->is_quiet && !options->force)
		cli_warn("%s: No such experiment", path);
	if (is_member || options->force)
		return CLI_OK;
	return cli_error("%s: No such experiment", path);
}

static int say_failure(const struct options *options, const char *path, int code,
		       const struct expt_error *err, bool is_member)
{
	return code == -ENOENT ? say_missing(options, path, is_member) : cli_failed(err);
}

static int remove_and_say(const struct options *options, const char *path, bool is_member,
			  struct expt_report *report)
{
	const struct expt_remove_options remove = {
		.even_live = options->force,
		.operation.dry_run = options->dry_run,
		.operation.report = report,
	};
	const struct expt_selected *facts;
	struct expt_selection *selection = measure(options, path, &facts);
	struct expt_error err;
	int status, rc = expt_remove(path, &remove, &err);

	for (size_t i = 0; i < expt_report_count(report); i++)
		say_leftover(options, expt_report_line(report, i));
	status = cli_report(report, false, options->is_quiet);
	if (rc < 0)
		status = say_failure(options, path, rc, &err, is_member);
	else
		say_removed(options, path, facts);
	expt_selection_close(selection);
	return status;
}

static int remove_experiment(const struct options *options, const char *path, bool is_member)
{
	struct expt_report *report = expt_report_new();
	int status = CLI_FAILED;

	if (report)
		status = remove_and_say(options, path, is_member, report);
	else
		cli_error("out of memory");
	expt_report_free(report);
	return status;
}

/* ---- groups ---- */

static int remove_members(const struct options *options, const struct expt_group *group)
{
	int status = CLI_OK;

	for (size_t i = 0; i < expt_group_count(group); i++)
		if (remove_experiment(options, expt_group_member(group, i), true) != CLI_OK)
			status = CLI_FAILED;
	return status;
}

int remove_group_file(const struct options *options, const struct expt_group *group,
		      const char *path)
{
	struct expt_error err;
	int rc = options->dry_run ? 0 : expt_group_remove(group, &err);

	if (rc < 0 && rc != -ENOENT)
		return cli_failed(&err);
	if (rc == 0)
		say_removed(options, path, NULL);
	return CLI_OK;
}

/* The file goes last, and stays as long as one of its experiments does. */
static int remove_group(const struct options *options, const char *path)
{
	struct expt_group *group;
	struct expt_error err;
	int rc = expt_group_open(&group, path, &err), status;

	if (rc < 0)
		return say_failure(options, path, rc, &err, false);
	status = remove_members(options, group);
	if (status == CLI_OK)
		status = remove_group_file(options, group, path);
	expt_group_close(group);
	return status;
}

/* ---- operands ---- */

/* Of what has the name itself, whatever it leads to; false if nothing has. */
static bool look_at(struct stat *status, const char *path)
{
	cleanup_free char *name = strndup(path, path_length(path));

	return name && lstat(name, status) == 0;
}

static int remove_operand(const struct options *options, const char *path)
{
	struct stat status;
	bool exists = look_at(&status, path);

	if (options->interactive && exists && !cli_confirm("remove '%s'? ", path))
		return CLI_OK;
	if (expt_name_is_group(path) && !(exists && S_ISLNK(status.st_mode)))
		return remove_group(options, path);
	return remove_experiment(options, path, false);
}

static int remove_operands(const struct options *options, char *operands[], int count)
{
	int status = CLI_OK;

	if (options->interactive_once && count > 3 &&
	    !cli_confirm("remove %d experiments? ", count))
		return CLI_OK;
	for (int i = 0; i < count; i++)
		if (remove_operand(options, operands[i]) != CLI_OK)
			status = CLI_FAILED;
	return status;
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
			 : remove_operands(&options, argv + optind, argc - optind);
	return cli_finish(status);
}
