/* SPDX-License-Identifier: Apache-2.0 */
/* The part that both directions share. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"
#include "libexpt/cli/transfer/remote.h"
#include "libexpt/cli/transfer/trip.h"

void trip_fail(struct trip *trip)
{
	trip->status = CLI_FAILED;
}

void trip_fail_with(struct trip *trip, const struct expt_error *err)
{
	trip->status = cli_failed(err);
}

int cli_same_host(int count, char *operands[])
{
	size_t length = expt_name_host(operands[0]);
	int same = 1;

	while (same < count && expt_name_host(operands[same]) == length &&
	       memcmp(operands[same], operands[0], length) == 0)
		same++;
	return same;
}

/* Returns PLACE/NAME, or HOST:NAME if the place is a bare host. */
char *trip_join(const char *place, const char *name)
{
	size_t host = expt_name_host(place);
	char *path;

	if (host == 0 || place[host + 1])
		return path_join(place, name);
	return asprintf(&path, "%s%s", place, name) < 0 ? NULL : path;
}

/* ssh asks on its controlling terminal, or in a window of its own. */
static bool may_ask(void)
{
	cleanup_fd int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	return terminal >= 0 || (getenv("SSH_ASKPASS") &&
				 (getenv("DISPLAY") || getenv("WAYLAND_DISPLAY")));
}

int trip_begin(struct trip *trip, const char *operand, int count, bool is_sending)
{
	struct remote_options options = {
		.shell = trip->transfer->shell,
		.is_quiet = trip->transfer->is_quiet,
		.move = trip->transfer->is_move,
		.move_even_live = trip->transfer->force,
		.may_ask = may_ask(),
		.timeout_s = trip->transfer->timeout_s,
		.stop = trip->transfer->operation.stop,
	};
	struct expt_error err;
	int rc;

	trip->host = strndup(operand, expt_name_host(operand));
	trip->cargo = calloc((size_t)count, sizeof(*trip->cargo));
	if (listener_init(&trip->listener) != CLI_OK)
		return CLI_FAILED;
	if (!trip->host || !trip->cargo)
		return cli_error("out of memory");
	options.messages = trip->listener.speaker;
	rc = is_sending ? remote_open_target(&trip->remote, operand, &options, &err)
			: remote_open_source(&trip->remote, operand, &options, &err);
	if (rc < 0)
		return cli_failed(&err);
	trip->giving = trip->transfer->giving;
	trip->giving.operation.threads = trip->taking.operation.threads =
		trip->transfer->operation.threads;
	trip->taking.operation.stop = trip->transfer->operation.stop;
	return CLI_OK;
}

int trip_end(struct trip *trip)
{
	remote_close(trip->remote);
	listener_release(&trip->listener);
	for (size_t i = 0; i < trip->count; i++)
		free(trip->cargo[i].counts);
	free(trip->cargo);
	free(trip->host);
	cli_stop_if_asked();
	return trip->status;
}

int trip_wait(struct trip *trip, int (*call)(struct trip *trip, struct expt_error *err))
{
	struct expt_error err;
	sigset_t before;
	int rc;

	listener_block_signals(&before);
	rc = call(trip, &err);
	listener_restore_signals(&before);
	if (rc < 0 && !*trip->transfer->operation.stop)
		trip_fail_with(trip, &err);
	else if (rc < 0)
		trip_fail(trip);
	return rc;
}

static int connect(struct trip *trip, struct expt_error *err)
{
	return remote_connect(trip->remote, err);
}

bool trip_start(struct trip *trip)
{
	struct expt_error err;

	if (remote_start(trip->remote, &err) < 0)
		trip_fail_with(trip, &err);
	else if (listener_start(&trip->listener, trip->host, trip->remote,
				trip->transfer->operation.stop) != CLI_OK)
		trip_fail(trip);
	else
		return trip_wait(trip, connect) >= 0;
	return false;
}

bool trip_is_empty(const struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++)
		if (!trip->cargo[i].is_dropped)
			return false;
	return true;
}

bool trip_confirm_name(struct trip *trip, const char *name)
{
	const struct cli_transfer *transfer = trip->transfer;

	if (transfer->rename && !expt_name_is_group(name))
		return trip->taking.rename = true;
	if (transfer->interactive || transfer->force) {
		trip->taking.replace = true;
		return !transfer->interactive || cli_confirm("replace '%s'? ", name);
	}
	trip->status = cli_error("cannot create '%s': %s", name, strerror(EEXIST));
	return false;
}

void trip_add(struct trip *trip, const char *operand, char *counts)
{
	trip->cargo[trip->count++] =
		(struct cargo){ .operand = operand, .counts = counts };
}

void trip_say(const struct trip *trip, const char *from, const char *to,
	      const char *counts)
{
	const struct cli_transfer *transfer = trip->transfer;

	if (transfer->is_verbose || transfer->operation.dry_run)
		cli_say("%s '%s' -> '%s'%s%s%s",
			transfer->operation.dry_run ? transfer->planned : transfer->done,
			from, to, counts ? " (" : "", counts ? counts : "",
			counts ? ")" : "");
}

void trip_say_tools(const struct trip *trip)
{
	enum remote_tools tools = remote_tools(trip->remote);
	bool is_sending = expt_name_is_remote(trip->place);

	if (trip->transfer->is_quiet || tools == REMOTE_TOOLS_ERKIT)
		return;
	cli_warn("%s is missing on '%s': using tar%s",
		 is_sending ? "er_import" : "er_export", trip->host,
		 tools == REMOTE_TOOLS_TAR ? ", verified by sha256sum" : ", unverified");
}

struct expt_progress *trip_begin_progress(const struct trip *trip)
{
	return cli_progress_begin(cli_transfer_progress(trip->transfer),
				  trip->count == 1 ? trip->cargo[0].operand
						   : trip->place);
}
