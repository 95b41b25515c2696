/* SPDX-License-Identifier: Apache-2.0 */
/* er_archive - put what an experiment needs to be read elsewhere into it */

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
#include "libexpt/cli/progress.h"
#include "libexpt/cli/rc.h"
#include "libexpt/cli/stop.h"
#include "libexpt/expt.h"

/* clang-format off */
static const char usage[] =
	"usage: er_archive [-nqFAv] [-a MODE | -s SOURCES] [-d DIR | -r DIR] [-m REGEX]...\n"
	"                  [--check | --dry-run] [--outfile FILE] EXPERIMENT...\n"
	"  -a MODE         off, on (descriptions of all load objects), copy (and copies; the\n"
	"                  default), usedcopy (and copies of those with recorded addresses),\n"
	"                  src or usedsrc (as copy, and sources: all, or those of recorded\n"
	"                  addresses)\n"
	"  -A              the same as -a copy\n"
	"  -s SOURCES      all (the same as -a src), used (as -a usedsrc), or off\n"
	"  -d DIR          put copies into DIR, once for each content, and link to them\n"
	"  -r DIR          the same with relative links\n"
	"  -m REGEX        only files whose path an extended regular expression matches; of\n"
	"                  several one is enough\n"
	"  -n              only the named experiment, not its descendants\n"
	"  -F              archive everything anew\n"
	"  -q              warnings go to the experiment's archive.log only\n"
	"  -v, --verbose   a line for each file\n"
	"      --progress  show how far it is; without being asked on a terminal, where it\n"
	"                  takes longer than a second\n"
	"      --check     change nothing, tell what is not archived\n"
	"      --dry-run   change nothing, tell what would be archived\n"
	"      --outfile FILE  append all messages to FILE\n"
	"      --automatic     nobody started this by hand: SP_ARCHIVE_ARGS holds\n"
	"  -V, --version   print the version\n"
	"      --help      print this text\n";
/* clang-format on */

enum {
	OPTION_CHECK = 256,
	OPTION_DRY_RUN,
	OPTION_OUTFILE,
	OPTION_AUTOMATIC,
	OPTION_PROGRESS,
	OPTION_HELP,
};

static const struct option long_options[] = {
	{ "verbose", no_argument, NULL, 'v' },
	{ "check", no_argument, NULL, OPTION_CHECK },
	{ "dry-run", no_argument, NULL, OPTION_DRY_RUN },
	{ "outfile", required_argument, NULL, OPTION_OUTFILE },
	{ "automatic", no_argument, NULL, OPTION_AUTOMATIC },
	{ "progress", no_argument, NULL, OPTION_PROGRESS },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, OPTION_HELP },
	{},
};

struct options {
	struct cli_archive choice;
	bool check_only, dry_run, is_automatic, shows_progress;
	const char *outfile;
	int status; /* -1: go on */
};

static void parse_option(struct options *options, int option)
{
	switch (option) {
	case 'V':
		options->status = cli_version();
		break;
	case OPTION_CHECK:
		options->check_only = true;
		break;
	case OPTION_DRY_RUN:
		options->dry_run = true;
		break;
	case OPTION_OUTFILE:
		options->outfile = optarg;
		break;
	case OPTION_AUTOMATIC:
		options->is_automatic = true;
		break;
	case OPTION_PROGRESS:
		options->shows_progress = true;
		break;
	case OPTION_HELP:
		options->status = cli_help(usage);
		break;
	default:
		if (cli_archive_option(&options->choice, option, optarg) != CLI_OK)
			options->status = cli_usage(usage);
	}
}

static struct options parse_options(int argc, char *argv[])
{
	struct options options = { .status = -1 };
	int option;

	while (options.status < 0 &&
	       (option = getopt_long(argc, argv, CLI_ARCHIVE_LETTERS "V", long_options,
				     NULL)) != -1)
		parse_option(&options, option);
	if (options.status < 0 && options.check_only && options.dry_run) {
		cli_error("--check and --dry-run exclude each other");
		options.status = cli_usage(usage);
	}
	if (options.status < 0 && optind == argc)
		options.status = cli_usage(usage);
	return options;
}

/* The file gets everything from here on, behind a line that says who began when. */
static bool open_outfile(const char *path, char *argv[])
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY | O_CLOEXEC, 0644);
	time_t now = time(NULL);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0) {
		cli_error("cannot open '%s': %m", path);
		return false;
	}
	close(fd);
	printf("### Start %s#", ctime(&now));
	for (; *argv; argv++)
		printf(" %s", *argv);
	putchar('\n');
	return true;
}

/* With --outfile the log is where messages go anyway. */
static bool drops_warnings(const struct options *options)
{
	return options->choice.is_quiet && !options->outfile;
}

static int report(const struct expt_report *report, const struct options *options)
{
	return cli_report(report, options->choice.is_verbose || options->dry_run,
			  drops_warnings(options));
}

/* What stands beside the experiment comes last; that of a descendant is its founder's. */
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
	return cli_progress_when(options->choice.is_quiet || options->dry_run ||
					 options->outfile,
				 options->shows_progress);
}

static int run(const char *path, const struct options *options,
	       struct expt_archive_options *archive)
{
	struct expt_error err;
	int rc, status;

	archive->progress = cli_progress_begin(when_to_show(options), path);
	rc = expt_archive(path, archive, &err);
	cli_progress_end(rc >= 0);
	if (rc == -EINTR)
		cli_stop_if_asked();
	status = report(archive->report, options);
	return rc < 0 ? cli_failed(&err) : status;
}

static int archive(const char *path, const struct options *options)
{
	struct cli_rc places = { .maps = { .items = NULL } };
	struct expt_archive_options archive = {
		.check_only = options->check_only,
		.dry_run = options->dry_run,
		.log_notes = drops_warnings(options),
		/* a check may have a directory of its own to remove */
		.stop = options->check_only ? cli_stop_flag() : NULL,
		.report = expt_report_new(),
	};
	int status;

	if (!archive.report)
		return cli_error("out of memory");
	read_places(&places, path);
	archive.search = cli_rc_search(&places);
	cli_archive_apply(&options->choice, EXPT_ARCHIVE_COPY, &archive);
	status = run(path, options, &archive);
	cli_rc_release(&places);
	expt_report_free(archive.report);
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
	struct options options;
	int status = CLI_FAILED;

	cli_start(argv, usage);
	options = parse_options(argc, argv);
	if (options.status >= 0)
		status = options.status;
	else if (!options.outfile || open_outfile(options.outfile, argv))
		status = cli_finish(archive_all(argc - optind, argv + optind, &options));
	cli_archive_release(&options.choice);
	return status;
}
