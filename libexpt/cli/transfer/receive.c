/* SPDX-License-Identifier: Apache-2.0 */
/* Receives experiments from another host. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/transfer/remote.h"
#include "libexpt/cli/transfer/trip.h"

/* Returns the last component after the host, in a new string. */
static char *name_there(const char *operand)
{
	size_t length;
	const char *last = path_last(operand + expt_name_host(operand) + 1, &length);

	return strndup(last, length);
}

static void add_to_receive(struct trip *trip, const char *operand)
{
	cleanup_free char *name = name_there(operand);
	cleanup_free char *here = name ? trip_join(trip->place, name) : NULL;
	struct expt_error err;

	if (!here) {
		trip->status = cli_error("out of memory");
		return;
	}
	if (cli_exists(here) && !trip_confirm_name(trip, here))
		return;
	if (remote_add(trip->remote, operand, &trip->giving, &err) < 0)
		trip_fail_with(trip, &err);
	else
		trip_add(trip, operand, NULL);
}

static void drop_missing(struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++)
		if (!remote_existing_name(trip->remote, i, 0)) {
			trip->status = cli_error("cannot open '%s': %s",
						 trip->cargo[i].operand,
						 strerror(ENOENT));
			trip->cargo[i].is_dropped = true;
		}
}

static int receive(struct trip *trip, struct expt_error *err)
{
	return remote_receive(trip->remote, &trip->giving, &trip->taking, err);
}

/* Experiments arrive in the order of the operands; the members of a group are not known
 * here, only the group. */
static const char *source_of(const struct trip *trip, size_t *at)
{
	while (*at < trip->count && trip->cargo[*at].is_dropped)
		++*at;
	if (*at == trip->count)
		return trip->host;
	return expt_name_is_group(trip->cargo[*at].operand)
		       ? trip->cargo[*at].operand
		       : trip->cargo[(*at)++].operand;
}

static void say_received(const struct trip *trip, const struct expt_report *report)
{
	size_t at = 0;

	for (size_t i = 0; i < expt_report_count(report); i++) {
		const struct expt_report_line *line = expt_report_line(report, i);
		size_t length;
		const char *last = path_last(line->name, &length);
		cleanup_free char *here = trip_join(trip->place, last);

		if (line->outcome == EXPT_COPIED && here)
			trip_say(trip, source_of(trip, &at), here, line->reason);
	}
}

static void receive_all(struct trip *trip)
{
	struct expt_report *report = expt_report_new();
	int rc;

	if (!report) {
		trip->status = cli_error("out of memory");
		return;
	}
	trip->taking.directory = trip->place;
	trip->taking.verify = remote_tools(trip->remote) != REMOTE_TOOLS_TAR_UNVERIFIED;
	trip->giving.operation.dry_run = trip->transfer->operation.dry_run;
	trip->giving.operation.report = trip->taking.operation.report = report;
	trip->taking.operation.progress = trip_begin_progress(trip);
	rc = trip_wait(trip, receive);
	cli_progress_end(rc >= 0);
	if (cli_report(report, false, trip->transfer->is_quiet) != CLI_OK)
		trip_fail(trip);
	say_received(trip, report);
	expt_report_free(report);
}

int cli_receive(const struct cli_transfer *transfer, int count, char *operands[],
		const char *directory)
{
	struct trip trip = { .transfer = transfer, .place = directory };

	trip.status = trip_begin(&trip, operands[0], count, false);
	if (trip.status != CLI_OK)
		return trip_end(&trip);
	for (int i = 0; i < count; i++)
		add_to_receive(&trip, operands[i]);
	if (trip.count == 0 || !trip_start(&trip))
		return trip_end(&trip);
	drop_missing(&trip);
	if (trip_is_empty(&trip))
		return trip_end(&trip);
	trip_say_tools(&trip);
	receive_all(&trip);
	return trip_end(&trip);
}
