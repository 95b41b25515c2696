/* SPDX-License-Identifier: Apache-2.0 */
/* er_mv - rename experiments, or move them to another directory or file system */
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"
#include "libexpt/cli/transfer.h"
#include "libexpt/expt.h"

static const char usage[] =
	"usage: er_mv [-finqTv] [--rename] EXP1 EXP2\n"
	"       er_mv [-finqv] [--rename] EXP... DIRECTORY\n"
	"       er_mv -V\n"
	"  -f, --force         replace an experiment that has the name;\n"
	"                      move even what is still being recorded\n"
	"  -i, --interactive   ask before replacing one\n"
	"      --rename        where test.1.er has the name, take test.2.er or the next "
	"free\n"
	"  -n, --dry-run       check, show what would be moved, and its size\n"
	"  -v, --verbose       say what was moved\n"
	"  -q, --quiet         no warnings\n"
	"  -T                  the last operand is a name, never a directory to move "
	"into\n"
	"  -V, --version       show the version\n"
	"      --help          show this text\n";

enum { HELP = CLI_TRANSFER_FREE };

static const struct option long_options[] = {
	CLI_TRANSFER_OPTIONS,
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, HELP },
	{},
};

struct options {
	struct cli_transfer transfer;
	struct expt_move_options move;
	bool help, version;
};

static bool parse_option(struct options *options, int option)
{
	switch (option) {
	case 'V':
		return options->version = true;
	case HELP:
		return options->help = true;
	default:
		return cli_transfer_option(&options->transfer, option);
	}
}

static int move_one(const struct cli_transfer *transfer, const char *from, const char *to,
		    bool replace, struct expt_report *report, struct expt_error *err)
{
	struct expt_move_options options =
		*(const struct expt_move_options *)transfer->options;

	options.replace = replace;
	options.force = transfer->force;
	options.dry_run = transfer->dry_run;
	options.report = report;
	return expt_move(from, to, &options, err);
}

int main(int argc, char *argv[])
{
	struct options options = {
		.transfer = {
			.done = "moved",
			.planned = "would move",
			.function = move_one,
		},
	};
	int option;

	cli_start(argv, usage);
	options.transfer.options = &options.move;
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
	options.move.stop = cli_stop_flag();
	return cli_finish(cli_transfer(&options.transfer, argc - optind, argv + optind));
}
