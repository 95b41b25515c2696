/* SPDX-License-Identifier: Apache-2.0 */
/* er_cp - copy experiments, all or nothing */
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "libexpt/cli/cli.h"
#include "libexpt/cli/transfer/transfer.h"
#include "libexpt/expt.h"

static const char synopsis[] = "usage: er_cp [OPTION]... EXP1 EXP2\n"
			       "       er_cp [OPTION]... EXP... DIRECTORY\n"
			       "       er_cp [OPTION]... EXP... HOST:[DIRECTORY]\n"
			       "       er_cp [OPTION]... HOST:EXP... DIRECTORY\n"
			       "       er_cp -V\n";

struct options {
	struct cli_transfer transfer;
	struct expt_copy_options copy;
};

static const char *const sync_words[] = {
	[EXPT_SYNC_WHOLE] = "whole",
	[EXPT_SYNC_NONE] = "none",
	[EXPT_SYNC_PER_FILE] = "per-file",
	NULL,
};
static const char *const reflink_words[] = {
	[EXPT_REFLINK_AUTO] = "auto",
	[EXPT_REFLINK_NEVER] = "never",
	NULL,
};
static const char *const sparse_words[] = {
	[EXPT_SPARSE_AUTO] = "auto",
	[EXPT_SPARSE_ALWAYS] = "always",
	[EXPT_SPARSE_NEVER] = "never",
	NULL,
};

static int take_no_sync(void *options, const char *value)
{
	((struct options *)options)->copy.sync = EXPT_SYNC_NONE;
	return CLI_OK;
}

static int take_mode(void *options, const char *value)
{
	struct expt_error err;

	if (expt_archive_mode(&((struct options *)options)->copy.mode, value, &err) == 0)
		return CLI_OK;
	cli_failed(&err);
	return CLI_USAGE;
}

static const struct cli_option replacing[] = {
	{ 'f', "force", NULL, "replace an existing experiment",
	  CLI_FLAG(struct options, transfer.force) },
	{},
};
static const struct cli_option copying[] = {
	{ 'p', "preserve", NULL, "preserve times, modes and, for root, owners (default)",
	  CLI_NO_FLAG(struct options, copy.without_attributes) },
	{ 0, "no-preserve", NULL, "do not preserve times and modes",
	  CLI_FLAG(struct options, copy.without_attributes) },
	{ 0, "reflink", NULL, "share blocks with the original",
	  CLI_WORD(struct options, copy.reflink, reflink_words) },
	{ 0, "sparse", NULL, "which zeros become holes: existing holes, all or none",
	  CLI_WORD(struct options, copy.sparse, sparse_words) },
	{ 0, "verify", NULL, "read the copy back and compare it",
	  CLI_FLAG(struct options, copy.verify) },
	{ 'a', NULL, " MODE",
	  "archive load objects in the copy with this mode: on, copy ...",
	  .take = take_mode },
	{ 0, "no-archives", NULL, "do not copy the archived load objects",
	  CLI_FLAG(struct options, copy.without_archives) },
	{ 0, "no-sync", NULL, "do not wait for the copy to reach the disk",
	  .take = take_no_sync },
	{ 0, "sync", NULL, "when to sync: once at the end, or after each file",
	  CLI_WORD(struct options, copy.sync, sync_words) },
	{},
};
static const struct cli_option *const tables[] = { replacing, cli_transfer_options,
						   copying, NULL };

/* Returns the given option that does not work with other hosts, or NULL. */
static const char *local_option(const struct expt_copy_options *copy)
{
	const struct {
		bool is_given;
		const char *name;
	} local[] = {
		{ copy->without_attributes, "--no-preserve" },
		{ copy->reflink != EXPT_REFLINK_AUTO, "--reflink" },
		{ copy->sparse != EXPT_SPARSE_AUTO, "--sparse" },
		{ copy->sync == EXPT_SYNC_NONE, "--no-sync" },
		{ copy->sync == EXPT_SYNC_PER_FILE, "--sync" },
	};

	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		if (local[i].is_given)
			return local[i].name;
	return NULL;
}

static int check(const struct options *options, const struct cli_command *command,
		 int count, char *operands[])
{
	if (options->copy.without_archives && options->copy.mode != EXPT_ARCHIVE_OFF) {
		cli_error("-a and --no-archives are mutually exclusive");
		return cli_options_usage(command);
	}
	return cli_check_local_option(local_option(&options->copy), command, count,
				      operands);
}

static int copy_all(struct options *options, int count, char *items[])
{
	struct expt_copy_options copy = options->copy;
	const struct cli_task *task;
	struct cli_operands operands;
	struct expt_error err;

	options->transfer.giving.mode = copy.mode;
	options->transfer.giving.without_archives = copy.without_archives;
	cli_operands_begin(&operands, &options->transfer, count, items);
	while ((task = cli_operands_next(&operands))) {
		int rc;

		copy.operation = task->operation;
		copy.replace = task->replace;
		rc = expt_copy(task->from, task->to, &copy, &err);
		cli_operands_done(&operands, rc, &err);
	}
	return cli_operands_end(&operands);
}

int main(int argc, char *argv[])
{
	struct options options = {
		.transfer = { .done = "copied", .planned = "would copy" },
	};
	const struct cli_command command = {
		.synopsis = synopsis,
		.tables = tables,
		.options = &options,
	};
	int status = cli_transfer_options_parse(&command, argc, argv);

	if (status >= 0)
		return status;
	if (check(&options, &command, argc - optind, argv + optind) != CLI_OK)
		return CLI_USAGE;
	return copy_all(&options, argc - optind, argv + optind);
}
