/* SPDX-License-Identifier: Apache-2.0 */
/* er_cp - copy experiments, all or nothing */
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"
#include "libexpt/cli/transfer.h"
#include "libexpt/expt.h"

static const char usage[] =
	"usage: er_cp [-finqTv] [--rename] [--verify] [--no-archives] [--no-sync] EXP1 "
	"EXP2\n"
	"       er_cp [OPTION]... EXP... DIRECTORY\n"
	"       er_cp -V\n"
	"  -f, --force         replace an experiment that has the name\n"
	"  -i, --interactive   ask before replacing one\n"
	"      --rename        where test.1.er has the name, take test.2.er or the next "
	"free\n"
	"  -n, --dry-run       check, show what would be copied, and its size\n"
	"  -v, --verbose       say what was copied\n"
	"  -q, --quiet         no warnings\n"
	"  -T                  the last operand is a name, never a directory to copy "
	"into\n"
	"      --verify        read the copy back and compare it\n"
	"      --no-archives   leave the archived load objects out\n"
	"      --no-sync       do not wait until the copy is on the disk\n"
	"  -V, --version       show the version\n"
	"      --help          show this text\n";

enum { VERIFY = CLI_TRANSFER_FREE, NO_ARCHIVES, NO_SYNC, HELP };

static const struct option long_options[] = {
	CLI_TRANSFER_OPTIONS,
	{ "verify", no_argument, NULL, VERIFY },
	{ "no-archives", no_argument, NULL, NO_ARCHIVES },
	{ "no-sync", no_argument, NULL, NO_SYNC },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, HELP },
	{},
};

struct options {
	struct cli_transfer transfer;
	struct expt_copy_options copy;
	bool help, version;
};

static bool parse_option(struct options *options, int option)
{
	switch (option) {
	case VERIFY:
		return options->copy.verify = true;
	case NO_ARCHIVES:
		return options->copy.without_archives = true;
	case NO_SYNC:
		return options->copy.without_sync = true;
	case 'V':
		return options->version = true;
	case HELP:
		return options->help = true;
	default:
		return cli_transfer_option(&options->transfer, option);
	}
}

static int copy_one(const struct cli_transfer *transfer, const char *from, const char *to,
		    bool force, struct expt_report *report, struct expt_error *err)
{
	struct expt_copy_options options =
		*(const struct expt_copy_options *)transfer->options;

	options.force = force;
	options.dry_run = transfer->dry_run;
	options.report = report;
	return expt_copy(from, to, &options, err);
}

int main(int argc, char *argv[])
{
	struct options options = {
		.transfer = { .done = "copied",
			      .planned = "would copy",
			      .function = copy_one },
	};
	int option;

	cli_start(argv, usage);
	options.transfer.options = &options.copy;
	while ((option = getopt_long(argc, argv, CLI_TRANSFER_LETTERS "V", long_options,
				     NULL)) != -1)
		if (!parse_option(&options, option))
			return cli_usage(usage);
	if (options.help)
		return cli_help(usage);
	if (options.version)
		return cli_version();
	if (argc - optind < 2)
		return cli_usage(usage);
	options.copy.stop = cli_stop_flag();
	return cli_finish(cli_transfer(&options.transfer, argc - optind, argv + optind));
}
