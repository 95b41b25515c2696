/* SPDX-License-Identifier: Apache-2.0 */
/* One experiment on this host: the questions before it is copied or moved, and the
 * messages after that. */
#include "libexpt/cli/transfer/private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"

static char *without_slashes(const char *path)
{
	return strndup(path, path_length(path));
}

bool cli_exists(const char *path)
{
	cleanup_free char *name = without_slashes(path);
	struct stat status;

	return name && lstat(name, &status) == 0;
}

/* Returns the next free name in a new string; NULL after a message. */
static char *next_name(const char *taken)
{
	cleanup_free char *directory = without_slashes(taken);
	char *slash = directory ? strrchr(directory, '/') : NULL, *path;
	const char *name = slash ? slash + 1 : directory;
	cleanup_fd int dir = -1;
	struct expt_error err;
	char next[256];

	if (!directory)
		return NULL;
	if (slash)
		*slash = '\0';
	dir = open(!slash	? "."
		   : *directory ? directory
				: "/",
		   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0) {
		cli_error("cannot open the parent directory of '%s': %s", taken,
			  strerror(errno));
		return NULL;
	}
	if (expt_name_next(next, sizeof(next), dir, name, &err) < 0) {
		cli_failed(&err);
		return NULL;
	}
	if (asprintf(&path, "%s%s%s", slash ? directory : "", slash ? "/" : "", next) < 0)
		return NULL;
	return path;
}

/* ---- before it ---- */

static bool start(struct cli_task *task, const struct cli_transfer *transfer,
		  const char *to, bool replace)
{
	task->to = strdup(to);
	task->replace = replace;
	task->operation = transfer->operation;
	task->operation.report = expt_report_new();
	if (!task->to || !task->operation.report) {
		task->status = cli_error("out of memory");
		return false;
	}
	task->operation.progress =
		cli_progress_begin(cli_transfer_progress(transfer), task->from);
	return true;
}

/* The move was done, but the groups still have the old name: it was interrupted in
 * between. */
static bool was_moved_already(const struct cli_transfer *transfer, const char *from,
			      const char *to)
{
	if (!transfer->is_move || transfer->operation.dry_run || cli_exists(from) ||
	    !cli_exists(to) || cli_rename_in_groups(transfer, from, to) <= 0)
		return false;
	if (!transfer->is_quiet)
		cli_warn("'%s' was already moved to '%s': updating its groups", from, to);
	return true;
}

static bool start_next(struct cli_task *task, const struct cli_transfer *transfer,
		       const char *to)
{
	cleanup_free char *next = next_name(to);

	if (!next) {
		task->status = CLI_FAILED;
		return false;
	}
	if (!transfer->is_quiet)
		cli_warn("name '%s' is in use; changed to '%s'", to, next);
	return start(task, transfer, next, false);
}

static void set_place(struct cli_task *task, const char *to)
{
	task->at = strdup(to);
	if (!task->at)
		task->status = cli_error("out of memory");
}

bool task_begin(struct cli_task *task, const struct cli_transfer *transfer,
		const char *from, const char *to)
{
	bool replace = transfer->force || transfer->interactive;

	*task = (struct cli_task){ .from = from, .status = CLI_OK };
	if (was_moved_already(transfer, from, to)) {
		set_place(task, to);
		return false;
	}
	/* With -f, replace even an experiment that appears there in the meantime. */
	if (!cli_exists(to) || !cli_exists(from))
		return start(task, transfer, to,
			     transfer->force && !transfer->interactive &&
				     !transfer->rename);
	if (transfer->rename)
		return start_next(task, transfer, to);
	if (transfer->interactive && !cli_confirm("replace '%s'? ", to))
		return false; /* the answer was no, and nothing failed */
	return start(task, transfer, to, replace);
}

/* ---- after it ---- */

static void say_done(const struct cli_transfer *transfer, const struct cli_task *task)
{
	const struct expt_report *report = task->operation.report;
	char counts[80] = "";

	if (!transfer->is_verbose && !transfer->operation.dry_run)
		return;
	if (expt_report_files(report)) /* a rename does not look at files */
		snprintf(counts, sizeof(counts),
			 " (%" PRIu64 " files, %" PRIu64 " bytes)",
			 expt_report_files(report), expt_report_bytes(report));
	cli_say("%s '%s' -> '%s'%s",
		transfer->operation.dry_run ? transfer->planned : transfer->done,
		task->from, task->to, counts);
}

/* Write the new name into the groups. */
static void rename_moved(const struct cli_transfer *transfer, struct cli_task *task)
{
	if (transfer->is_move && !transfer->operation.dry_run &&
	    cli_rename_in_groups(transfer, task->from, task->to) < 0)
		task->status = CLI_FAILED;
}

void task_end(struct cli_task *task, const struct cli_transfer *transfer, int rc,
	      const struct expt_error *err)
{
	cli_progress_end(rc >= 0);
	if (rc == -EINTR)
		cli_stop_if_asked();
	task->status = cli_report(task->operation.report, false, transfer->is_quiet);
	if (rc < 0) {
		task->status = cli_failed(err);
		return;
	}
	say_done(transfer, task);
	rename_moved(transfer, task);
	task->at = steal(&task->to);
}

void task_release(struct cli_task *task)
{
	expt_report_free(task->operation.report);
	free(task->to);
	free(task->at);
	*task = (struct cli_task){ .status = CLI_OK };
}
