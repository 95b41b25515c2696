/* SPDX-License-Identifier: Apache-2.0 */
/* er_mv - rename experiments, or move them to another directory or file system */
#include <stdbool.h>
#include <stddef.h>

#include "libexpt/base/array.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/transfer/transfer.h"
#include "libexpt/expt.h"

static const char synopsis[] = "usage: er_mv [OPTION]... EXP1 EXP2\n"
			       "       er_mv [OPTION]... EXP... DIRECTORY\n"
			       "       er_mv [OPTION]... EXP... HOST:[DIRECTORY]\n"
			       "       er_mv -V\n";

static int take_group(void *options, const char *value)
{
	const char **group = array_add(&((struct cli_transfer *)options)->groups);

	if (!group)
		return cli_error("out of memory");
	*group = value;
	return CLI_OK;
}

static const struct cli_option replacing[] = {
	{ 'f', "force", NULL,
	  "replace an experiment that has the name;\n"
	  "move even what is still being recorded",
	  CLI_FLAG(struct cli_transfer, force) },
	{},
};
static const struct cli_option grouping[] = {
	{ 0, "fix-groups", " FILE.erg...", "write the new names into these groups, too",
	  .take = take_group, .takes_also = expt_name_is_group },
	{},
};
static const struct cli_option *const tables[] = { replacing, cli_transfer_options,
						   grouping, NULL };

static int move_one(const struct cli_transfer *transfer, const char *from, const char *to,
		    bool replace, struct expt_report *report, struct expt_error *err)
{
	struct expt_move_options options = {
		.operation = transfer->operation,
		.replace = replace,
		.even_live = transfer->force,
	};

	options.operation.report = report;
	return expt_move(from, to, &options, err);
}

int main(int argc, char *argv[])
{
	struct cli_transfer transfer = {
		.is_move = true,
		.synopsis = synopsis,
		.options = tables,
		.done = "moved",
		.planned = "would move",
		.function = move_one,
	};
	int status = cli_transfer(&transfer, argc, argv);

	array_release(&transfer.groups);
	return status;
}
