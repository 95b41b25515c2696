/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/view.h"

#include <sys/stat.h>

#include "libexpt/cli/cli.h"

int cli_view_report(struct cli_view *view)
{
	size_t count = expt_view_problem_count(view->view);
	int status = CLI_OK;

	for (; view->reported < count; view->reported++) {
		const struct expt_problem *problem =
			expt_view_problem(view->view, view->reported);

		if (problem->is_error)
			status = cli_error("%s", problem->text);
		else if (!view->is_quiet)
			cli_warn("%s", problem->text);
	}
	return status;
}

static int add(struct cli_view *view, struct expt *expt)
{
	struct expt_error err;
	int status = CLI_OK;

	if (expt_set_search(expt, &view->search, &err) < 0)
		status = cli_failed(&err);
	if (expt_view_add(view->view, expt, NULL, &err) < 0)
		status = cli_failed(&err);
	return cli_view_report(view) == CLI_OK ? status : CLI_FAILED;
}

/* Reading a bundle without an index takes a while. */
static struct expt_import_options begin_reading(const struct cli_view *view,
						const char *path)
{
	struct expt_import_options reading = view->reading;

	reading.operation.progress = cli_progress_begin(view->progress, path);
	return reading;
}

static int open_group(struct expt_group **group, const struct cli_view *view,
		      const char *path, struct expt_error *err)
{
	struct expt_import_options reading;
	int rc;

	if (!expt_is_bundle(path))
		return expt_group_open(group, path, err);
	reading = begin_reading(view, path);
	rc = expt_group_open_bundle(group, path, &reading, err);
	cli_progress_end(rc >= 0);
	return rc;
}

static int add_group(struct cli_view *view, const char *path)
{
	struct expt_group *group;
	struct expt_error err;
	struct expt *expt;
	int status = CLI_OK;

	if (open_group(&group, view, path, &err) < 0)
		return cli_failed(&err);
	for (size_t i = 0; i < expt_group_count(group); i++)
		if (expt_group_member_open(&expt, group, i, &err) < 0)
			status = cli_failed(&err);
		else if (add(view, expt) != CLI_OK)
			status = CLI_FAILED;
	expt_group_close(group);
	return status;
}

static int open_experiment(struct expt **expt, const struct cli_view *view,
			   const char *path, struct expt_error *err)
{
	struct expt_import_options reading;
	struct stat status;
	int rc;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return expt_open(expt, path, err);
	reading = begin_reading(view, path);
	rc = expt_open_with(expt, path, &reading, err);
	cli_progress_end(rc >= 0);
	return rc;
}

int cli_view_add(struct cli_view *view, const char *path)
{
	struct expt_error err;
	struct expt *expt;

	if (expt_name_is_group(path) || expt_is_bundle(path))
		return add_group(view, path);
	if (open_experiment(&expt, view, path, &err) < 0)
		return cli_failed(&err);
	return add(view, expt);
}
