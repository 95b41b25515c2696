/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share. */
#ifndef LIBEXPT_CLI_TRANSFER_PRIVATE_H
#define LIBEXPT_CLI_TRANSFER_PRIVATE_H

#include "libexpt/cli/transfer/transfer.h"

/* ---- one.c ---- */

/* False: there is nothing to do, and task has the status, and where the experiment is. */
bool task_begin(struct cli_task *task, const struct cli_transfer *transfer,
		const char *from, const char *to);
void task_end(struct cli_task *task, const struct cli_transfer *transfer, int rc,
	      const struct expt_error *err);
void task_release(struct cli_task *task);

/* Whether something has the name itself, wherever it leads to. */
bool cli_exists(const char *path);

/* ---- group.c ---- */

/* NULL: there is nothing to do, or nothing that could be done: *status. */
struct transfer_group *group_begin(struct cli_transfer *transfer, const char *from,
				   const char *to, int *status);
/* False after the last member that is to be copied or moved. */
bool group_next(struct transfer_group *group, struct cli_task *task);
/* That one is done, or has failed. */
void group_add_task(struct transfer_group *group, struct cli_task *task);
int group_end(struct transfer_group *group);

/* ---- rename.c ---- */

/* Whether transfer->groups are groups, and can be changed: CLI_OK, or CLI_FAILED after a
 * message. */
int cli_check_groups(const struct cli_transfer *transfer);
/* Write the new name into transfer->groups: how many lines had the old one, or -1 after a
 * message. */
int cli_rename_in_groups(const struct cli_transfer *transfer, const char *from,
			 const char *to);

/* ---- transfer.c ---- */

/* What the environment says, where no option does. */
void cli_transfer_complete(struct cli_transfer *transfer);
/* Whether an operation's progress is shown. */
enum cli_progress cli_transfer_progress(const struct cli_transfer *transfer);

#endif
