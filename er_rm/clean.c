/* SPDX-License-Identifier: Apache-2.0 */
/* Removes by age, size, number and free space, also below directories: for cron jobs. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "er_rm/er_rm.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"

/* Time to wait for another cleaner of the same directory. */
#define LOCK_WAIT_S 10

struct cleaning {
	const struct options *options;
	struct expt_selection *selection;
	/* The experiments that a dry run would have removed; groups are checked without
	 * them. */
	struct {
		struct stat *items;
		size_t count, capacity;
	} planned;
};

/* ---- operands ---- */

static int leave_link(const struct options *options, const char *path)
{
	if (!expt_name_is_experiment(path) && !expt_name_is_group(path))
		return cli_error("'%s' is a symbolic link: name its target instead",
				 path);
	if (!options->is_quiet)
		cli_warn("'%s' is a symbolic link: skipped", path);
	return CLI_OK;
}

static int add_path(const struct cleaning *cleaning, const char *path, bool is_member);

static int add_group(const struct cleaning *cleaning, const char *path)
{
	struct expt_group *group;
	struct expt_error err;
	int status = CLI_OK;

	if (expt_group_open(&group, path, &err) < 0)
		return cli_failed(&err);
	for (size_t i = 0; i < expt_group_count(group); i++)
		if (add_path(cleaning, expt_group_member(group, i), true) != CLI_OK)
			status = CLI_FAILED;
	expt_group_close(group);
	return status;
}

static int add_path(const struct cleaning *cleaning, const char *path, bool is_member)
{
	cleanup_free char *name = strndup(path, path_length(path));
	struct expt_error err;
	struct stat status = { 0 };
	int rc;

	if (!name)
		return cli_error("out of memory");
	/* Other errors occur in the selection as well, which describes them. */
	if (lstat(name, &status) < 0 && errno == ENOENT)
		return say_missing(cleaning->options, path, is_member);
	if (S_ISLNK(status.st_mode))
		return leave_link(cleaning->options, path);
	if (!is_member && expt_name_is_group(path))
		return add_group(cleaning, path);
	if (cleaning->options->is_recursive && S_ISDIR(status.st_mode) &&
	    !expt_name_is_experiment(path))
		rc = expt_selection_add_directory(cleaning->selection, path, &err);
	else
		rc = expt_selection_add(cleaning->selection, path, &err);
	return rc < 0 ? cli_failed(&err) : CLI_OK;
}

static bool is_planned(const struct cleaning *cleaning, const struct stat *status)
{
	for (size_t i = 0; i < cleaning->planned.count; i++)
		if (io_is_same(&cleaning->planned.items[i], status))
			return true;
	return false;
}

/* Remember in a dry run that path would be removed; false if it was reported before. */
static bool foretell(struct cleaning *cleaning, const char *path)
{
	struct stat status, *gone;

	if (!cleaning->options->dry_run || lstat(path, &status) < 0)
		return true;
	if (is_planned(cleaning, &status))
		return false;
	gone = array_add(&cleaning->planned);
	if (gone)
		*gone = status;
	return true;
}

static bool is_gone(const struct cleaning *cleaning, const char *path)
{
	struct stat status;

	return lstat(path, &status) < 0 ? errno == ENOENT : is_planned(cleaning, &status);
}

/* Remove a group file when none of its experiments is left. */
static int remove_empty_group(const struct cleaning *cleaning, const char *path)
{
	struct expt_group *group;
	bool is_empty = true;
	int status = CLI_OK;

	if (!expt_name_is_group(path) || expt_group_open(&group, path, NULL) < 0)
		return CLI_OK;
	for (size_t i = 0; i < expt_group_count(group) && is_empty; i++)
		is_empty = is_gone(cleaning, expt_group_member(group, i));
	if (is_empty)
		status = remove_group_file(cleaning->options, group, path);
	expt_group_close(group);
	return status;
}

/* ---- what was chosen ---- */

/* It is not a failure if another process has removed the experiment, or is still
 * recording one that was not named. */
static int say_left(const struct options *options, const struct expt_selected *item,
		    int code, const struct expt_error *err)
{
	if (code == -ENOENT)
		return CLI_OK;
	if (code != -EBUSY || item->is_named)
		return cli_failed(err);
	if (!options->is_quiet)
		cli_warn("%s: skipped", err->message);
	return CLI_OK;
}

static int say_report(struct cleaning *cleaning, const struct expt_report *report)
{
	for (size_t i = 0; i < expt_report_count(report); i++) {
		const struct expt_report_line *line = expt_report_line(report, i);

		if (line->outcome == EXPT_REMOVED && foretell(cleaning, line->name))
			say_leftover(cleaning->options, line);
	}
	return cli_report(report, false, cleaning->options->is_quiet);
}

static int remove_and_say(struct cleaning *cleaning, const struct expt_selected *item,
			  struct expt_report *report)
{
	const struct options *options = cleaning->options;
	const struct expt_remove_options remove = {
		.even_live = options->force,
		.operation.dry_run = options->dry_run,
		.operation.report = report,
	};
	struct expt_error err;
	int status, rc = expt_selection_remove(cleaning->selection, item, &remove, &err);

	status = say_report(cleaning, report);
	if (rc < 0)
		return say_left(options, item, rc, &err);
	say_removed(options, item->path, item);
	foretell(cleaning, item->path);
	return status;
}

static int remove_item(struct cleaning *cleaning, const struct expt_selected *item)
{
	struct expt_report *report;
	int status;

	if (cleaning->options->interactive && !cli_confirm("remove '%s'? ", item->path))
		return CLI_OK;
	report = expt_report_new();
	status = report ? remove_and_say(cleaning, item, report)
			: cli_error("out of memory");
	expt_report_free(report);
	return status;
}

static int say_problems(const struct cleaning *cleaning)
{
	int status = CLI_OK;

	for (size_t i = 0; i < expt_selection_problem_count(cleaning->selection); i++) {
		const struct expt_selection_problem *problem =
			expt_selection_problem(cleaning->selection, i);

		if (problem->is_failure)
			status = cli_error("%s", problem->text);
		else if (!cleaning->options->is_quiet)
			cli_warn("%s", problem->text);
	}
	return status;
}

static int remove_leftovers(struct cleaning *cleaning)
{
	const struct options *options = cleaning->options;
	struct expt_report *report = expt_report_new();
	int status;

	if (!report)
		return cli_error("out of memory");
	expt_selection_clean(cleaning->selection, options->dry_run, report);
	status = say_report(cleaning, report);
	expt_report_free(report);
	return status;
}

static int remove_chosen(struct cleaning *cleaning)
{
	size_t count = expt_selection_count(cleaning->selection);
	int status = CLI_OK;
	const struct expt_selected *item;

	if (cleaning->options->interactive_once && count > 3 &&
	    !cli_confirm("remove %zu experiments? ", count))
		return CLI_OK;
	if (remove_leftovers(cleaning) != CLI_OK)
		status = CLI_FAILED;
	while ((item = expt_selection_next(cleaning->selection)))
		if (remove_item(cleaning, item) != CLI_OK)
			status = CLI_FAILED;
	return status;
}

/* ---- all of it ---- */

/* A dry run must not create anything in the directories, not even a lock for a moment. */
static int lock(const struct cleaning *cleaning, struct expt_error *err)
{
	return cleaning->options->dry_run
		       ? 0
		       : expt_selection_lock(cleaning->selection, LOCK_WAIT_S, err);
}

static int run(struct cleaning *cleaning, char *operands[], int count)
{
	int status = CLI_OK;
	struct expt_error err;

	for (int i = 0; i < count; i++)
		if (add_path(cleaning, operands[i], false) != CLI_OK)
			status = CLI_FAILED;
	if (lock(cleaning, &err) < 0 ||
	    expt_selection_read(cleaning->selection, &err) < 0)
		return cli_failed(&err);
	if (say_problems(cleaning) != CLI_OK)
		status = CLI_FAILED;
	if (remove_chosen(cleaning) != CLI_OK)
		status = CLI_FAILED;
	for (int i = 0; i < count; i++)
		if (remove_empty_group(cleaning, operands[i]) != CLI_OK)
			status = CLI_FAILED;
	return status;
}

int clean(const struct options *options, char *operands[], int count)
{
	struct expt_criteria criteria = options->criteria;
	struct cleaning cleaning = { .options = options };
	struct expt_error err;
	int status;

	criteria.measure = options->is_verbose || options->dry_run;
	if (expt_selection_open(&cleaning.selection, &criteria, &err) < 0) {
		cli_failed(&err);
		return err.code == -EINVAL ? CLI_USAGE : CLI_FAILED;
	}
	status = run(&cleaning, operands, count);
	expt_selection_close(cleaning.selection);
	array_release(&cleaning.planned);
	return status;
}
