/* SPDX-License-Identifier: Apache-2.0 */
/* er_cp - copy experiments, all or nothing */
#include <stdbool.h>
#include <stddef.h>

#include "libexpt/cli/cli.h"
#include "libexpt/cli/transfer.h"
#include "libexpt/expt.h"

static const char synopsis[] = "usage: er_cp [OPTION]... EXP1 EXP2\n"
			       "       er_cp [OPTION]... EXP... DIRECTORY\n"
			       "       er_cp -V\n";

struct options {
	struct cli_transfer transfer;
	struct expt_copy_options copy;
};

static int take_no_sync(void *options, const char *value)
{
	((struct options *)options)->copy.sync = EXPT_SYNC_NONE;
	return CLI_OK;
}

static const struct cli_option replacing[] = {
	{ 'f', "force", NULL, "replace an experiment that has the name",
	  CLI_FLAG(struct options, transfer.force) },
	{},
};
static const struct cli_option copying[] = {
	{ 0, "verify", NULL, "read the copy back and compare it",
	  CLI_FLAG(struct options, copy.verify) },
	{ 0, "no-archives", NULL, "leave the archived load objects out",
	  CLI_FLAG(struct options, copy.without_archives) },
	{ 0, "no-sync", NULL, "do not wait until the copy is on the disk",
	  .take = take_no_sync },
	{},
};
static const struct cli_option *const tables[] = { replacing, cli_transfer_options,
						   copying, NULL };

static int copy_one(const struct cli_transfer *transfer, const char *from, const char *to,
		    bool force, struct expt_report *report, struct expt_error *err)
{
	struct expt_copy_options options = ((const struct options *)transfer)->copy;

	options.force = force;
	options.dry_run = transfer->dry_run;
	options.threads = transfer->threads;
	options.stop = transfer->stop;
	options.report = report;
	return expt_copy(from, to, &options, err);
}

int main(int argc, char *argv[])
{
	struct options options = {
		.transfer = {
			.synopsis = synopsis,
			.options = tables,
			.done = "copied",
			.planned = "would copy",
			.function = copy_one,
		},
	};

	return cli_transfer(&options.transfer, argc, argv);
}
