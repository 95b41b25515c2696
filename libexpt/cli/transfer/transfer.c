/* SPDX-License-Identifier: Apache-2.0 */
/* The options that er_cp and er_mv share. */
#include "libexpt/cli/transfer/private.h"

#include <getopt.h>
#include <stdlib.h>

#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"

#define THREADS_MAX 8 /* more threads do not copy faster */
#define TIMEOUT_MAX 1000000

const struct cli_option cli_transfer_options[] = {
	{ 'i', "interactive", NULL, "ask before replacing an experiment",
	  CLI_FLAG(struct cli_transfer, interactive) },
	{ 0, "rename", NULL, "if test.1.er exists, use test.2.er or the next free name",
	  CLI_FLAG(struct cli_transfer, rename) },
	{ 'g', "group", NULL,
	  "operands may be groups: also transfer their experiments, and\nwrite group "
	  "files with the new names",
	  CLI_FLAG(struct cli_transfer, takes_groups) },
	{ 'T', NULL, NULL, "treat the last operand as a name, not as a directory",
	  CLI_FLAG(struct cli_transfer, never_into) },
	{ 'n', "dry-run", NULL, "show what would be done and its size, change nothing",
	  CLI_FLAG(struct cli_transfer, operation.dry_run) },
	{ 'v', "verbose", NULL, "list what was done",
	  CLI_FLAG(struct cli_transfer, is_verbose) },
	CLI_QUIET(struct cli_transfer, is_quiet),
	CLI_PROGRESS(struct cli_transfer, shows_progress),
	{ 'e', "rsh", "=COMMAND", "use COMMAND instead of ssh to reach other hosts",
	  CLI_TEXT(struct cli_transfer, shell) },
	{ 0, "timeout", "=N", "give up after N seconds without an answer (default: 60)",
	  CLI_NUMBER(struct cli_transfer, timeout_s, TIMEOUT_MAX) },
	{ 0, "threads", "=N", "copy with N threads, 1 to 8 (default: one per processor)",
	  CLI_NUMBER(struct cli_transfer, operation.threads, THREADS_MAX) },
	{},
};

enum cli_progress cli_transfer_progress(const struct cli_transfer *transfer)
{
	return cli_progress_mode(transfer->is_quiet || transfer->operation.dry_run,
				 transfer->shows_progress);
}

/* Between hosts the other side writes the files, in its own way. */
int cli_check_local_option(const char *option, const struct cli_command *command,
			   int count, char *operands[])
{
	for (int i = 0; option && i < count; i++)
		if (expt_name_is_remote(operands[i])) {
			cli_error("option '%s' is only for copies on this host", option);
			return cli_options_usage(command);
		}
	return CLI_OK;
}

static unsigned timeout_of_environment(void)
{
	const char *text = getenv("ER_TIMEOUT");
	uint64_t seconds;

	if (!text || !*text)
		return 0;
	if (number_u64(&seconds, text) && seconds > 0 && seconds <= TIMEOUT_MAX)
		return (unsigned)seconds;
	cli_warn("ignoring ER_TIMEOUT: '%s' is not a number from 1 to %d", text,
		 TIMEOUT_MAX);
	return 0;
}

void cli_transfer_complete(struct cli_transfer *transfer)
{
	if (!transfer->shell)
		transfer->shell = getenv("ER_RSH");
	if (!transfer->timeout_s)
		transfer->timeout_s = timeout_of_environment();
	transfer->operation.stop = cli_stop_flag();
}

int cli_transfer_options_parse(const struct cli_command *command, int argc, char *argv[])
{
	int status;

	cli_start(argv, NULL);
	cli_allow_many_files();
	status = cli_options(command, argc, argv);
	if (status >= 0)
		return status;
	return argc - optind < 2 ? cli_options_usage(command) : -1;
}
