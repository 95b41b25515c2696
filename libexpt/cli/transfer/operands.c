/* SPDX-License-Identifier: Apache-2.0 */
/* Decides from names alone where each operand goes; the library checks what is there. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"
#include "libexpt/cli/transfer/private.h"
#include "libexpt/cli/transfer/remote.h"

static bool is_refused_group(const struct cli_transfer *transfer, const char *operand)
{
	if (!expt_name_is_group(operand) || transfer->takes_groups)
		return false;
	cli_error("'%s' is a group, not an experiment: -g takes groups", operand);
	return true;
}

/* Returns DIR/NAME, where NAME is the last component of from. */
static char *name_in(const char *directory, const char *from)
{
	size_t length;
	const char *last = path_last(from, &length);
	cleanup_free char *name = strndup(last, length);

	return name ? path_join(directory, name) : NULL;
}

/* Returns whether path is a directory to put experiments into. An experiment is not, even
 * if its name appears only after links are resolved: experiments are never put into
 * others. */
static bool is_directory(const char *path)
{
	cleanup_free char *resolved = NULL;
	struct stat status;

	if (stat(path, &status) < 0 || !S_ISDIR(status.st_mode))
		return false;
	if (expt_name_is_experiment(path))
		return false;
	resolved = realpath(path, NULL);
	return !resolved || !expt_name_is_experiment(resolved);
}

static int check_hosts(const struct cli_transfer *transfer, int count, char *operands[])
{
	for (int i = 0; i < count - 1; i++)
		if (transfer->is_move && expt_name_is_remote(operands[i]))
			return cli_error("'%s' is on another host: copy it here and "
					 "remove it there",
					 operands[i]);
	if (!expt_name_is_remote(operands[count - 1]))
		return CLI_OK;
	if (transfer->never_into)
		return cli_error("experiments keep their names on another host");
	if (transfer->groups.count)
		return cli_error("--fix-groups cannot be used for moves to another host");
	return CLI_OK;
}

static int check(const struct cli_transfer *transfer, int count, char *operands[])
{
	for (int i = 0; i < count - 1; i++)
		if (is_refused_group(transfer, operands[i]))
			return CLI_FAILED;
	if (cli_check_groups(transfer) != CLI_OK)
		return CLI_FAILED;
	return check_hosts(transfer, count, operands);
}

/* The last operand is a directory to go into, or a name: then there is only one operand.
 */
static int find_place(struct cli_operands *operands, const char *last)
{
	if (!operands->transfer->never_into && is_directory(last)) {
		operands->directory = last;
		return CLI_OK;
	}
	operands->name = last;
	if (operands->count > 1 || expt_name_is_remote(operands->items[0]))
		return cli_error("'%s' is not a directory to put experiments into", last);
	return CLI_OK;
}

void cli_operands_begin(struct cli_operands *operands, struct cli_transfer *transfer,
			int count, char *items[])
{
	char *last = items[count - 1];

	*operands = (struct cli_operands){
		.transfer = transfer,
		.items = items,
		.count = count - 1,
	};
	cli_transfer_complete(transfer);
	operands->status = check(transfer, count, items);
	if (operands->status == CLI_OK && expt_name_is_remote(last)) {
		operands->status = cli_send(transfer, count - 1, items, last);
		operands->next = operands->count;
	} else if (operands->status == CLI_OK)
		operands->status = find_place(operands, last);
	if (operands->status != CLI_OK)
		operands->next = operands->count;
}

static void add_status(struct cli_operands *operands, int status)
{
	if (status != CLI_OK)
		operands->status = CLI_FAILED;
	cli_stop_if_asked();
}

/* Receive the next operands that are on one host. */
static void receive_some(struct cli_operands *operands)
{
	char **items = operands->items + operands->next;
	int some = cli_same_host(operands->count - operands->next, items);

	operands->next += some;
	add_status(operands,
		   cli_receive(operands->transfer, some, items, operands->directory));
}

/* Begin with an experiment or a group. Returns true if it is the task. */
static bool begin_operand(struct cli_operands *operands)
{
	const char *from = operands->items[operands->next++];
	cleanup_free char *to = operands->directory ? name_in(operands->directory, from)
						    : strdup(operands->name);
	int status;

	if (!to) {
		add_status(operands, cli_error("out of memory"));
		return false;
	}
	if (expt_name_is_group(from)) {
		operands->group = group_begin(operands->transfer, from, to, &status);
		if (!operands->group)
			add_status(operands, status);
		return false;
	}
	if (task_begin(&operands->task, operands->transfer, from, to))
		return true;
	add_status(operands, operands->task.status);
	task_release(&operands->task);
	return false;
}

const struct cli_task *cli_operands_next(struct cli_operands *operands)
{
	while (operands->group || operands->next < operands->count) {
		if (operands->group) {
			if (group_next(operands->group, &operands->task))
				return &operands->task;
			add_status(operands, group_end(operands->group));
			operands->group = NULL;
		} else if (expt_name_is_remote(operands->items[operands->next])) {
			receive_some(operands);
		} else if (begin_operand(operands)) {
			return &operands->task;
		}
	}
	return NULL;
}

void cli_operands_done(struct cli_operands *operands, int rc,
		       const struct expt_error *err)
{
	struct cli_task *task = &operands->task;

	task_end(task, operands->transfer, rc, err);
	if (operands->group)
		group_add_task(operands->group, task);
	else
		add_status(operands, task->status);
	task_release(task);
}

int cli_operands_end(struct cli_operands *operands)
{
	array_release(&operands->transfer->groups);
	return cli_finish(operands->status);
}
