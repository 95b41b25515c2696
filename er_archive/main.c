/* SPDX-License-Identifier: Apache-2.0 */
/* er_archive - put what an experiment needs to be read elsewhere into it */

#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"
#include "libexpt/expt.h"

static const char usage[] =
	"usage: er_archive [-nqFAv] [-a MODE] [--check] [--outfile FILE] EXPERIMENT...\n"
	"  -a MODE         off, on (descriptions of all load objects), or copy (and "
	"copies of\n"
	"                  them; the default)\n"
	"  -A              the same as -a copy\n"
	"  -n              only the named experiment, not its descendants\n"
	"  -F              archive everything anew\n"
	"  -q              no warnings\n"
	"  -v, --verbose   a line for each load object\n"
	"      --check     change nothing, tell what is not archived\n"
	"      --outfile FILE  append all messages to FILE\n"
	"  -V, --version   print the version\n"
	"      --help      print this text\n";

enum { OPTION_CHECK = 256, OPTION_OUTFILE, OPTION_HELP };

static const struct option long_options[] = {
	{ "verbose", no_argument, NULL, 'v' },
	{ "check", no_argument, NULL, OPTION_CHECK },
	{ "outfile", required_argument, NULL, OPTION_OUTFILE },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, OPTION_HELP },
	{},
};

struct options {
	struct expt_archive_options archive;
	bool is_quiet, is_verbose;
	const char *outfile;
	int status; /* -1: go on */
};

static int read_mode(struct options *options, const char *word)
{
	struct expt_error err;

	if (expt_archive_mode(&options->archive.mode, word, &err) == 0)
		return -1;
	cli_failed(&err);
	return cli_usage(usage);
}

static void parse_option(struct options *options, int option)
{
	switch (option) {
	case 'a':
		options->status = read_mode(options, optarg);
		break;
	case 'A':
		options->archive.mode = EXPT_ARCHIVE_COPY;
		break;
	case 'n':
		options->archive.is_founder_only = true;
		break;
	case 'F':
		options->archive.force = true;
		break;
	case 'q':
		options->is_quiet = true;
		break;
	case 'v':
		options->is_verbose = true;
		break;
	case 'V':
		options->status = cli_version();
		break;
	case OPTION_CHECK:
		options->archive.check_only = true;
		break;
	case OPTION_OUTFILE:
		options->outfile = optarg;
		break;
	case OPTION_HELP:
		options->status = cli_help(usage);
		break;
	default:
		options->status = cli_usage(usage);
	}
}

static struct options parse_options(int argc, char *argv[])
{
	struct options options = { .archive.mode = EXPT_ARCHIVE_COPY, .status = -1 };
	int option;

	while (options.status < 0 &&
	       (option = getopt_long(argc, argv, "a:AnFqvV", long_options, NULL)) != -1)
		parse_option(&options, option);
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

static int archive(const char *path, const struct options *options)
{
	struct expt_archive_options archive = options->archive;
	struct expt_error err;
	int status;

	archive.report = expt_report_new();
	if (!archive.report)
		return cli_error("out of memory");
	if (expt_archive(path, &archive, &err) < 0) {
		cli_report(archive.report, options->is_verbose, options->is_quiet);
		status = cli_failed(&err);
	} else {
		status = cli_report(archive.report, options->is_verbose, options->is_quiet);
	}
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

int main(int argc, char *argv[])
{
	struct options options;
	int status = CLI_OK;

	cli_start(argv, usage);
	options = parse_options(argc, argv);
	if (options.status >= 0)
		return options.status;
	if (options.outfile && !open_outfile(options.outfile, argv))
		return CLI_FAILED;
	for (int i = optind; i < argc; i++) {
		if (expt_name_is_group(argv[i]))
			status |= archive_group(argv[i], &options);
		else
			status |= archive(argv[i], &options);
	}
	return cli_finish(status);
}
