/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef LIBEXPT_CLI_TRANSFER_PRIVATE_H
#define LIBEXPT_CLI_TRANSFER_PRIVATE_H

#include "libexpt/cli/transfer/transfer.h"

/* ---- one.c ---- */

/* Returns false if there is nothing to do: task has the status, and the place of the
 * experiment. */
bool task_begin(struct cli_task *task, const struct cli_transfer *transfer,
		const char *from, const char *to);
void task_end(struct cli_task *task, const struct cli_transfer *transfer, int rc,
	      const struct expt_error *err);
void task_release(struct cli_task *task);

/* Returns whether the name itself exists, even as a dangling link. */
bool cli_exists(const char *path);

/* ---- group.c ---- */

/* Returns NULL if there is nothing to do, or nothing could be done; *status says which.
 */
struct transfer_group *group_begin(struct cli_transfer *transfer, const char *from,
				   const char *to, int *status);
/* Returns false after the last member to be copied or moved. */
bool group_next(struct transfer_group *group, struct cli_task *task);
/* Record that the task of a member is done, or has failed. */
void group_add_task(struct transfer_group *group, struct cli_task *task);
int group_end(struct transfer_group *group);

/* ---- rename.c ---- */

/* Check that transfer->groups are groups and can be changed. Returns CLI_OK, or
 * CLI_FAILED after a message. */
int cli_check_groups(const struct cli_transfer *transfer);
/* Write the new name into transfer->groups. Returns the number of lines that had the old
 * one, or -1 after a message. */
int cli_rename_in_groups(const struct cli_transfer *transfer, const char *from,
			 const char *to);

/* ---- transfer.c ---- */

/* Take from the environment what the options leave open. */
void cli_transfer_complete(struct cli_transfer *transfer);
/* Returns whether the progress of an operation is shown. */
enum cli_progress cli_transfer_progress(const struct cli_transfer *transfer);

#endif
