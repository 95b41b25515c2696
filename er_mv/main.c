/* SPDX-License-Identifier: Apache-2.0 */
/* er_mv - rename experiments, or move them to another directory or file system */
#include <getopt.h>
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
	  "replace an existing experiment;\n"
	  "move even experiments being recorded",
	  CLI_FLAG(struct cli_transfer, force) },
	{},
};
static const struct cli_option grouping[] = {
	{ 0, "fix-groups", " FILE.erg...", "also update the names in these groups",
	  .take = take_group, .takes_also = expt_name_is_group },
	{},
};
static const struct cli_option *const tables[] = { replacing, cli_transfer_options,
						   grouping, NULL };

static int move_all(struct cli_transfer *transfer, int count, char *items[])
{
	struct expt_move_options move = { .even_live = transfer->force };
	const struct cli_task *task;
	struct cli_operands operands;
	struct expt_error err;

	cli_operands_begin(&operands, transfer, count, items);
	while ((task = cli_operands_next(&operands))) {
		int rc;

		move.operation = task->operation;
		move.replace = task->replace;
		rc = expt_move(task->from, task->to, &move, &err);
		cli_operands_done(&operands, rc, &err);
	}
	return cli_operands_end(&operands);
}

int main(int argc, char *argv[])
{
	struct cli_transfer transfer = {
		.is_move = true,
		.done = "moved",
		.planned = "would move",
	};
	const struct cli_command command = {
		.synopsis = synopsis,
		.tables = tables,
		.options = &transfer,
	};
	int status = cli_transfer_options_parse(&command, argc, argv);

	if (status >= 0)
		return status;
	return move_all(&transfer, argc - optind, argv + optind);
}
