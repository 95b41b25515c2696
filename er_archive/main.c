/* SPDX-License-Identifier: Apache-2.0 */
/* er_archive - archive in an experiment what is needed to read it elsewhere */

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/archive.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/options.h"
#include "libexpt/cli/progress.h"
#include "libexpt/cli/rc.h"
#include "libexpt/cli/stop.h"
#include "libexpt/expt.h"

static const char synopsis[] =
	"usage: er_archive [-nqFAv] [-a MODE | -s SOURCES] [-d DIR | -r DIR] [-m "
	"REGEX]...\n"
	"                  [--check | --dry-run] [--outfile FILE] EXPERIMENT...\n"
	"       er_archive -V\n";

struct options {
	struct cli_archive choice;
	bool check_only, dry_run, is_automatic, shows_progress;
	const char *outfile;
	int old_stderr; /* saved while messages go to outfile */
};

/* ---- options ---- */

static int take_mode(void *options, const char *word)
{
	return cli_archive_option(&((struct options *)options)->choice, 'a', word);
}

static int take_copy(void *options, const char *unused)
{
	return cli_archive_option(&((struct options *)options)->choice, 'A', unused);
}

static int take_sources(void *options, const char *word)
{
	return cli_archive_option(&((struct options *)options)->choice, 's', word);
}

static int take_store(void *options, const char *path)
{
	return cli_archive_option(&((struct options *)options)->choice, 'd', path);
}

static int take_near_store(void *options, const char *path)
{
	return cli_archive_option(&((struct options *)options)->choice, 'r', path);
}

static int take_pattern(void *options, const char *pattern)
{
	return cli_archive_option(&((struct options *)options)->choice, 'm', pattern);
}

enum { MODE_ARCHIVE = 1, MODE_CHECK = 2, MODE_DRY_RUN = 4 };
static const char *const modes[] = { "archiving", "--check", "--dry-run", NULL };

/* clang-format off */
static const struct cli_option rows[] = {
	{ 'a', NULL, " MODE",
	  "off, on (describe all load objects), copy (also\n"
	  "copy them; the default), usedcopy (copy only those\n"
	  "with recorded addresses), src or usedsrc (as copy,\n"
	  "plus all sources, or those of recorded addresses)",
	  .take = take_mode },
	{ 'A', NULL, NULL, "same as -a copy", .take = take_copy },
	{ 's', NULL, " SOURCES",
	  "all (same as -a src), used (-a usedsrc), or off",
	  .take = take_sources },
	{ 'd', NULL, " DIR",
	  "store identical copies once, in DIR, and link to\nthem",
	  .take = take_store },
	{ 'r', NULL, " DIR", "same as -d, with relative links", .take = take_near_store },
	{ 'm', NULL, " REGEX",
	  "only files whose path matches one of these extended\nregular expressions",
	  .take = take_pattern },
	{ 'n', NULL, NULL, "do not archive descendants",
	  CLI_FLAG(struct options, choice.is_founder_only) },
	{ 'F', NULL, NULL, "archive everything again",
	  CLI_FLAG(struct options, choice.renew) },
	{ 'q', NULL, NULL, "write warnings only to the experiment's archive.log",
	  CLI_FLAG(struct options, choice.is_quiet) },
	{ 'v', "verbose", NULL, "print a line for each file",
	  CLI_FLAG(struct options, choice.is_verbose) },
	{ 0, "progress", NULL,
	  "show progress (default on a terminal, if it takes\nlonger than a second)",
	  CLI_FLAG(struct options, shows_progress) },
	{ 0, "check", NULL, "list what is not archived, change nothing",
	  CLI_FLAG(struct options, check_only), .modes = MODE_CHECK,
	  .selects_mode = true },
	{ 0, "dry-run", NULL, "list what would be archived, change nothing",
	  CLI_FLAG(struct options, dry_run), .modes = MODE_DRY_RUN,
	  .selects_mode = true },
	{ 0, "outfile", " FILE", "append all messages to FILE ('-': standard output)",
	  CLI_TEXT(struct options, outfile) },
	{ 0, "automatic", NULL, "not started by a user: obey SP_ARCHIVE_ARGS",
	  CLI_FLAG(struct options, is_automatic) },
	{},
};
/* clang-format on */
static const struct cli_option *const tables[] = { rows, NULL };

static int open_file(const char *path)
{
	if (strcmp(path, "-") == 0)
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	return open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC, 0644);
}

/* Send all output to the file, after a line with the time and the command. */
static bool open_outfile(struct options *options, char *argv[])
{
	const char *path = options->outfile;
	int fd = open_file(path);
	time_t now = time(NULL);

	options->old_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0) {
		cli_error("cannot open '%s': %m", path);
		return false;
	}
	close(fd);
	printf("### Start %s#", ctime(&now));
	for (; *argv; argv++) {
		putchar(' ');
		cli_put_escaped(stdout, *argv);
	}
	putchar('\n');
	return true;
}

/* Report lost messages on the original standard error. */
static int finish_outfile(const struct options *options, int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout) && !ferror(stderr))
		return status;
	if (options->old_stderr >= 0)
		dup2(options->old_stderr, STDERR_FILENO);
	return cli_error("cannot write '%s'", options->outfile);
}

/* With --outfile, messages go to a log anyway. */
static bool drops_warnings(const struct options *options)
{
	return options->choice.is_quiet && !options->outfile;
}

static int report(const struct expt_report *report, const struct options *options)
{
	return cli_report(report, options->choice.is_verbose || options->dry_run,
			  drops_warnings(options));
}

/* Read the .er.rc next to the experiment last; for a descendant, the one next to its
 * founder. */
static void read_places(struct cli_rc *rc, const char *path)
{
	size_t length;
	const char *last = path_last(path, &length);
	cleanup_free char *directory = strndup(path, (size_t)(last - path));

	cli_rc_read_all(rc);
	if (!directory || !*directory)
		return;
	if (expt_name_is_experiment(directory))
		directory[path_last(directory, &length) - directory] = '\0';
	if (*directory)
		cli_rc_read(rc, directory);
}

static enum cli_progress when_to_show(const struct options *options)
{
	return cli_progress_mode(options->choice.is_quiet || options->dry_run ||
					 options->outfile,
				 options->shows_progress);
}

static int run(const char *path, const struct options *options,
	       struct expt_archive_options *archive)
{
	struct expt_error err;
	int rc, status;

	archive->operation.progress = cli_progress_begin(when_to_show(options), path);
	rc = expt_archive(path, archive, &err);
	cli_progress_end(rc >= 0);
	if (rc == -EINTR)
		cli_stop_if_asked();
	status = report(archive->operation.report, options);
	return rc < 0 ? cli_failed(&err) : status;
}

static int archive(const char *path, const struct options *options)
{
	struct cli_rc places = { .maps = { .items = NULL } };
	struct expt_archive_options archive = {
		.check_only = options->check_only,
		.operation.dry_run = options->dry_run,
		.log_notes = drops_warnings(options),
		/* a check may leave a temporary directory to remove */
		.operation.stop = options->check_only ? cli_stop_flag() : NULL,
		.operation.report = expt_report_new(),
	};
	int status;

	if (!archive.operation.report)
		return cli_error("out of memory");
	read_places(&places, path);
	archive.search = cli_rc_search(&places);
	cli_archive_apply(&options->choice, EXPT_ARCHIVE_COPY, &archive);
	status = run(path, options, &archive);
	cli_rc_release(&places);
	expt_report_free(archive.operation.report);
	return status;
}

static int archive_group(const char *path, const struct options *options)
{
	struct expt_group *group;
	struct expt_error err;
	int status = CLI_OK;

	if (expt_group_open(&group, path, &err) < 0)
		return cli_failed(&err);
	for (size_t i = 0; i < expt_group_count(group); i++)
		status |= archive(expt_group_member(group, i), options);
	expt_group_close(group);
	return status;
}

static int archive_all(int count, char *operands[], struct options *options)
{
	int status = CLI_OK;

	if (options->is_automatic)
		status |= cli_archive_environment(&options->choice);
	for (int i = 0; i < count; i++) {
		if (expt_name_is_group(operands[i]))
			status |= archive_group(operands[i], options);
		else
			status |= archive(operands[i], options);
	}
	return status;
}

int main(int argc, char *argv[])
{
	struct options options = { .outfile = NULL };
	const struct cli_command command = { synopsis, tables, &options, modes,
					     MODE_ARCHIVE };
	int status;

	cli_start(argv, NULL);
	status = cli_options(&command, argc, argv);
	if (status < 0 && optind == argc)
		status = cli_options_usage(&command);
	if (status < 0 && options.outfile && !open_outfile(&options, argv))
		status = CLI_FAILED;
	if (status < 0) {
		status = archive_all(argc - optind, argv + optind, &options);
		status = options.outfile ? finish_outfile(&options, status)
					 : cli_finish(status);
	}
	cli_archive_release(&options.choice);
	return status;
}
