/* SPDX-License-Identifier: Apache-2.0 */
/* Which operand goes where is decided here, from names alone; the library checks what they are. */
#include "libexpt/cli/transfer/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/progress.h"
#include "libexpt/cli/stop.h"
#include "libexpt/cli/transfer/remote.h"

#define THREADS_MAX 8 /* more than processors bring nothing */
#define TIMEOUT_MAX 1000000

static bool is_refused_group(const struct cli_transfer *transfer, const char *operand)
{
	if (!expt_name_is_group(operand) || transfer->takes_groups)
		return false;
	cli_error("'%s' is a group, not an experiment: -g takes groups", operand);
	return true;
}

static char *without_slashes(const char *path)
{
	return strndup(path, path_length(path));
}

/* DIR/NAME, NAME being the last component of from. */
static char *name_in(const char *directory, const char *from)
{
	size_t length;
	const char *last = path_last(from, &length);
	cleanup_free char *name = strndup(last, length);

	return name ? path_join(directory, name) : NULL;
}

bool cli_exists(const char *path)
{
	cleanup_free char *name = without_slashes(path);
	struct stat status;

	return name && lstat(name, &status) == 0;
}

/* A directory to put experiments into. One that has the name of an experiment, also behind a link,
 * is not: experiments are never put into others. */
static bool is_directory(const char *path)
{
	cleanup_free char *resolved = NULL;
	struct stat status;

	if (stat(path, &status) < 0 || !S_ISDIR(status.st_mode))
		return false;
	if (expt_name_is_experiment(path))
		return false;
	resolved = realpath(path, NULL);
	return !resolved || !expt_name_is_experiment(resolved);
}

/* The next free name, in a new string; NULL after a message. */
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
		cli_error("cannot open the directory of '%s': %s", taken, strerror(errno));
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

static void say_done(const struct cli_transfer *transfer, const char *from,
		     const char *to, const struct expt_report *report)
{
	char counts[80] = "";

	if (!transfer->is_verbose && !transfer->operation.dry_run)
		return;
	if (expt_report_files(report)) /* a rename does not look at files */
		snprintf(counts, sizeof(counts), " (%" PRIu64 " files, %" PRIu64 " bytes)",
			 expt_report_files(report), expt_report_bytes(report));
	cli_say("%s '%s' -> '%s'%s",
		transfer->operation.dry_run ? transfer->planned : transfer->done, from,
		to, counts);
}

enum cli_progress cli_transfer_progress(const struct cli_transfer *transfer)
{
	return cli_progress_when(transfer->is_quiet || transfer->operation.dry_run,
				 transfer->shows_progress);
}

/* False: nothing was done. *status: of what was done. */
static bool finish_one(struct cli_transfer *transfer, const char *from, const char *to,
		       bool replace, int *status)
{
	struct expt_report *report = expt_report_new();
	struct expt_error err;
	int rc;

	if (!report) {
		cli_error("out of memory");
		return false;
	}
	transfer->operation.progress =
		cli_progress_begin(cli_transfer_progress(transfer), from);
	rc = transfer->function(transfer, from, to, replace, report, &err);
	cli_progress_end(rc >= 0);
	if (rc == -EINTR)
		cli_stop_if_asked();
	*status = cli_report(report, false, transfer->is_quiet);
	if (rc < 0)
		cli_failed(&err);
	else
		say_done(transfer, from, to, report);
	expt_report_free(report);
	return rc >= 0;
}

/* What was moved has its new name in the groups, too. */
static int finish_move(struct cli_transfer *transfer, const char *from, const char *to)
{
	if (!transfer->is_move || transfer->operation.dry_run)
		return CLI_OK;
	return cli_rename_in_groups(transfer, from, to) < 0 ? CLI_FAILED : CLI_OK;
}

static int transfer_to_name(struct cli_transfer *transfer, const char *from,
			    const char *to, bool replace, char **at)
{
	int status = CLI_OK;

	if (!finish_one(transfer, from, to, replace, &status))
		return CLI_FAILED;
	if (finish_move(transfer, from, to) != CLI_OK)
		status = CLI_FAILED;
	*at = strdup(to);
	return *at ? status : cli_error("out of memory");
}

static int replace_or_not(struct cli_transfer *transfer, const char *from, const char *to,
			  char **at)
{
	if (transfer->interactive && !cli_confirm("replace '%s'? ", to))
		return CLI_OK; /* the answer was no, and nothing failed */
	return transfer_to_name(transfer, from, to, true, at);
}

/* The move was done, but the groups still have the old name: it was interrupted in between. */
static bool was_moved_already(const struct cli_transfer *transfer, const char *from,
			      const char *to)
{
	if (!transfer->is_move || transfer->operation.dry_run || cli_exists(from) ||
	    !cli_exists(to) || cli_rename_in_groups(transfer, from, to) <= 0)
		return false;
	if (!transfer->is_quiet)
		cli_warn("'%s' was moved to '%s' already: its groups are put right", from,
			 to);
	return true;
}

static int take_next_name(struct cli_transfer *transfer, const char *from, const char *to,
			  char **at)
{
	cleanup_free char *next = next_name(to);

	if (!next)
		return CLI_FAILED;
	if (!transfer->is_quiet)
		cli_warn("name '%s' is in use; changed to '%s'", to, next);
	return transfer_to_name(transfer, from, next, false, at);
}

int cli_transfer_one(struct cli_transfer *transfer, const char *from, const char *to,
		     char **at)
{
	*at = NULL;
	if (was_moved_already(transfer, from, to)) {
		*at = strdup(to);
		return *at ? CLI_OK : cli_error("out of memory");
	}
	/* With -f also what somebody else puts there meanwhile is replaced. */
	if (!cli_exists(to) || !cli_exists(from))
		return transfer_to_name(transfer, from, to,
					transfer->force && !transfer->interactive &&
						!transfer->rename,
					at);
	if (transfer->rename)
		return take_next_name(transfer, from, to, at);
	if (transfer->interactive || transfer->force)
		return replace_or_not(transfer, from, to, at);
	return transfer_to_name(transfer, from, to, false, at);
}

/* An experiment or a group. */
static int transfer_operand(struct cli_transfer *transfer, const char *from, const char *to)
{
	cleanup_free char *at = NULL;

	if (expt_name_is_group(from))
		return cli_transfer_group(transfer, from, to);
	return cli_transfer_one(transfer, from, to, &at);
}

static int transfer_to(struct cli_transfer *transfer, char *operand, const char *directory)
{
	cleanup_free char *to = name_in(directory, operand);

	return to ? transfer_operand(transfer, operand, to) : cli_error("out of memory");
}

/* Those of one host come together. */
static int transfer_into(struct cli_transfer *transfer, int count, char *operands[],
			 const char *directory)
{
	int status = CLI_OK, some;

	for (int i = 0; i < count; i += some) {
		bool is_remote = expt_name_is_remote(operands[i]);

		some = is_remote ? cli_same_host(count - i, operands + i) : 1;
		if ((is_remote ? cli_receive(transfer, some, operands + i, directory)
			       : transfer_to(transfer, operands[i], directory)) != CLI_OK)
			status = CLI_FAILED;
		cli_stop_if_asked();
	}
	return status;
}

static int check_hosts(const struct cli_transfer *transfer, int count, char *operands[])
{
	for (int i = 0; i < count - 1; i++)
		if (transfer->is_move && expt_name_is_remote(operands[i]))
			return cli_error(
				"'%s' is on another host, where nothing is removed: "
				"copy it, and remove it there",
				operands[i]);
	if (!expt_name_is_remote(operands[count - 1]))
		return CLI_OK;
	if (transfer->never_into)
		return cli_error(
			"experiments keep their names on the way to another host");
	if (transfer->groups.count)
		return cli_error(
			"groups name nothing on other hosts: --fix-groups is for "
			"moves here");
	return CLI_OK;
}

static int transfer_all(struct cli_transfer *transfer, int count, char *operands[])
{
	const char *last = operands[count - 1];

	for (int i = 0; i < count - 1; i++)
		if (is_refused_group(transfer, operands[i]))
			return CLI_FAILED;
	if (cli_check_groups(transfer) != CLI_OK ||
	    check_hosts(transfer, count, operands) != CLI_OK)
		return CLI_FAILED;
	if (expt_name_is_remote(last))
		return cli_send(transfer, count - 1, operands, last);
	if (!transfer->never_into && is_directory(last))
		return transfer_into(transfer, count - 1, operands, last);
	if (count > 2 || expt_name_is_remote(operands[0]))
		return cli_error("'%s' is not a directory to put experiments into", last);
	return transfer_operand(transfer, operands[0], last);
}

/* ---- the command line ---- */

const struct cli_option cli_transfer_options[] = {
	{ 'i', "interactive", NULL, "ask before replacing one",
	  CLI_FLAG(struct cli_transfer, interactive) },
	{ 0, "rename", NULL, "where test.1.er has the name, take test.2.er or the next free",
	  CLI_FLAG(struct cli_transfer, rename) },
	{ 'g', "group", NULL,
	  "an operand may be a group: with its experiments, and a group\n"
	  "file with their new names",
	  CLI_FLAG(struct cli_transfer, takes_groups) },
	{ 'T', NULL, NULL, "the last operand is a name, never a directory to go into",
	  CLI_FLAG(struct cli_transfer, never_into) },
	{ 'n', "dry-run", NULL, "check, and show what would be done, and its size",
	  CLI_FLAG(struct cli_transfer, operation.dry_run) },
	{ 'v', "verbose", NULL, "say what was done",
	  CLI_FLAG(struct cli_transfer, is_verbose) },
	CLI_QUIET(struct cli_transfer, is_quiet),
	CLI_PROGRESS(struct cli_transfer, shows_progress),
	{ 'e', "rsh", "=COMMAND", "reach other hosts with this, instead of ssh",
	  CLI_TEXT(struct cli_transfer, shell) },
	{ 0, "timeout", "=N", "for how many seconds another host may be silent; default: 60",
	  CLI_NUMBER(struct cli_transfer, timeout_s, TIMEOUT_MAX) },
	{ 0, "threads", "=N", "how many threads copy, 1 to 8; default: one per processor",
	  CLI_NUMBER(struct cli_transfer, operation.threads, THREADS_MAX) },
	{},
};

static int check_options(const struct cli_transfer *transfer,
			 const struct cli_command *command)
{
	const char *problem = transfer->check ? transfer->check(transfer) : NULL;

	if (!problem)
		return CLI_OK;
	cli_error("%s", problem);
	return cli_options_usage(command);
}

/* Where one operand is elsewhere the other side does the work, its way. */
static int check_local_options(const struct cli_transfer *transfer,
			       const struct cli_command *command, int count,
			       char *operands[])
{
	const char *option = transfer->local_option ? transfer->local_option(transfer)
						    : NULL;

	for (int i = 0; option && i < count; i++)
		if (expt_name_is_remote(operands[i])) {
			cli_error("option '%s' is for copies here, not for those to and "
				  "from other hosts",
				  option);
			return cli_options_usage(command);
		}
	return CLI_OK;
}

static unsigned timeout_of_environment(void)
{
	const char *text = getenv("ER_TIMEOUT");
	uint64_t seconds;

	if (!text || !*text)
		return 0;
	if (number_u64(&seconds, text) && seconds > 0 && seconds <= TIMEOUT_MAX)
		return (unsigned)seconds;
	cli_warn("ER_TIMEOUT is ignored: '%s' is not a number from 1 to %d", text,
		 TIMEOUT_MAX);
	return 0;
}

int cli_transfer(struct cli_transfer *transfer, int argc, char *argv[])
{
	const struct cli_command command = {
		.synopsis = transfer->synopsis,
		.tables = transfer->options,
		.options = transfer,
	};
	int status;

	cli_start(argv, NULL);
	cli_allow_many_files();
	status = cli_options(&command, argc, argv);
	if (status >= 0)
		return status;
	if (argc - optind < 2)
		return cli_options_usage(&command);
	if (check_options(transfer, &command) != CLI_OK ||
	    check_local_options(transfer, &command, argc - optind, argv + optind) != CLI_OK)
		return CLI_USAGE;
	if (!transfer->shell)
		transfer->shell = getenv("ER_RSH");
	if (!transfer->timeout_s)
		transfer->timeout_s = timeout_of_environment();
	transfer->operation.stop = cli_stop_flag();
	return cli_finish(transfer_all(transfer, argc - optind, argv + optind));
}
