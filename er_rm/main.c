/* SPDX-License-Identifier: Apache-2.0 */
/* er_rm - remove experiments, and groups with their experiments */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"
#include "libexpt/expt.h"

static const char usage[] =
	"usage: er_rm [-finqv] EXPERIMENT-OR-GROUP...\n"
	"       er_rm -V\n"
	"  -f, --force         not a word about what does not exist;\n"
	"                      remove even what is still being recorded\n"
	"  -i, --interactive   ask before each\n"
	"  -n, --dry-run       check, show what would be removed, and its size\n"
	"  -v, --verbose       say what was removed\n"
	"  -q, --quiet         no warnings\n"
	"  -V, --version       show the version\n"
	"      --help          show this text\n";

enum { HELP = 256 };

static const struct option long_options[] = {
	{ "force", no_argument, NULL, 'f' },   { "interactive", no_argument, NULL, 'i' },
	{ "dry-run", no_argument, NULL, 'n' }, { "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },   { "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, HELP },   {},
};

struct options {
	bool force, interactive, dry_run, is_verbose, is_quiet;
	bool help, version;
};

static bool parse_option(struct options *options, int option)
{
	switch (option) {
	case 'f':
		return options->force = true;
	case 'i':
		return options->interactive = true;
	case 'n':
		return options->dry_run = true;
	case 'v':
		return options->is_verbose = true;
	case 'q':
		return options->is_quiet = true;
	case 'V':
		return options->version = true;
	case HELP:
		return options->help = true;
	default:
		return false;
	}
}

/* ---- one experiment ---- */

static int call_remove(const struct options *options, const char *path, bool dry_run,
		       struct expt_report *report, struct expt_error *err)
{
	const struct expt_remove_options remove = {
		.force = options->force,
		.dry_run = dry_run,
		.report = report,
	};

	return expt_remove(path, &remove, err);
}

/* Counting looks at every file, so it is done only for those who want to see it. */
static void count_files(const struct options *options, const char *path,
			struct expt_report *counts)
{
	if (options->is_verbose && !options->dry_run)
		call_remove(options, path, true, counts, NULL);
}

static void say_removed(const struct options *options, const char *path,
			const struct expt_report *counts)
{
	if (options->is_verbose || options->dry_run)
		cli_say("%s '%s' (%" PRIu64 " files, %" PRIu64 " bytes)",
			options->dry_run ? "would remove" : "removed", path,
			expt_report_files(counts), expt_report_bytes(counts));
}

static int say_failure(const struct options *options, const char *path, int code,
		       const struct expt_error *err, bool is_member)
{
	if (code != -ENOENT)
		return cli_failed(err);
	if (is_member && !options->is_quiet && !options->force)
		cli_warn("%s: No such experiment", path);
	if (is_member || options->force)
		return CLI_OK;
	return cli_error("%s: No such experiment", path);
}

static int remove_experiment(const struct options *options, const char *path, bool is_member)
{
	struct expt_report *report = expt_report_new(), *counts = expt_report_new();
	struct expt_error err;
	int rc, status = CLI_FAILED;

	if (!report || !counts) {
		cli_error("out of memory");
	} else {
		count_files(options, path, counts);
		rc = call_remove(options, path, options->dry_run, report, &err);
		if (rc < 0) {
			status = say_failure(options, path, rc, &err, is_member);
		} else {
			status = cli_report(report, false, options->is_quiet);
			say_removed(options, path, options->dry_run ? report : counts);
		}
	}
	expt_report_free(report);
	expt_report_free(counts);
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

/* The file goes last, and stays as long as one of its experiments does. */
static int remove_group(const struct options *options, const char *path)
{
	struct expt_group *group;
	struct expt_error err;
	int rc = expt_group_open(&group, path, &err), status;

	if (rc < 0)
		return say_failure(options, path, rc, &err, false);
	status = remove_members(options, group);
	expt_group_close(group);
	if (status != CLI_OK)
		return status;
	if (!options->dry_run && unlink(path) < 0)
		return cli_error("cannot remove '%s': %s", path, strerror(errno));
	if (options->is_verbose || options->dry_run)
		cli_say("%s '%s'", options->dry_run ? "would remove" : "removed", path);
	return CLI_OK;
}

static int remove_operand(const struct options *options, const char *path)
{
	struct stat status;

	if (options->interactive && lstat(path, &status) == 0 &&
	    !cli_confirm("remove '%s'? ", path))
		return CLI_OK;
	if (expt_name_is_group(path))
		return remove_group(options, path);
	return remove_experiment(options, path, false);
}

int main(int argc, char *argv[])
{
	struct options options = { 0 };
	int option, status = CLI_OK;

	cli_start(argv, usage);
	while ((option = getopt_long(argc, argv, "finqvV", long_options, NULL)) != -1)
		if (!parse_option(&options, option))
			return cli_usage(usage);
	if (options.help)
		return cli_help(usage);
	if (options.version)
		return cli_version();
	if (optind == argc)
		return cli_usage(usage);
	for (int i = optind; i < argc; i++)
		if (remove_operand(&options, argv[i]) != CLI_OK)
			status = CLI_FAILED;
	return cli_finish(status);
}
