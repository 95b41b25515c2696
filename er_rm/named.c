/* SPDX-License-Identifier: Apache-2.0 */
/* Removes named experiments, and groups with their experiments. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "er_rm/er_rm.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"

/* ---- one experiment ---- */

/* Measuring visits every file, so it is done only if the result is printed. The
 * selection owns the facts, which are NULL if that fails. */
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

static int remove_experiment(const struct options *options, const char *path,
			     bool is_member)
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
		if (remove_experiment(options, expt_group_member(group, i), true) !=
		    CLI_OK)
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

/* The file is removed last, and only if all of its experiments were. */
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

/* Get the status of the name itself, without following a link; false if it does not
 * exist. */
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

int remove_named(const struct options *options, char *operands[], int count)
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
